import { AsyncLocalStorage } from 'node:async_hooks';

const operators = new AsyncLocalStorage<string>();

/** Runs `work`, and everything that it starts, for an operator whom the console named. */
export function runForOperator<T>(operator: string, work: () => T): T {
  return operators.run(operator, work);
}

/** The operator for whom this code runs; null if nobody is named, such as for a call with the token alone. */
export function currentOperator(): string | null {
  return operators.getStore() ?? null;
}

const MAX_LENGTH = 100;
const NOT_PRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/**
 * Name in the header `x-gondola-operator`, which is percent-encoded; null if it is none of 1 to 100 printable
 * characters.
 */
export function operatorIn(header: string): string | null {
  try {
    const name = decodeURIComponent(header);
    const length = Array.from(name).length;
    return length === 0 || length > MAX_LENGTH || NOT_PRINTABLE.test(name) ? null : name;
  } catch {
    return null;
  }
}
