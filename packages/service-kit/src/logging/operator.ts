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
/** Control characters, and the marks that change the direction of text. */
const NOT_PRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** The name without characters that do not print, and cut; null if nothing is left. */
export function operatorName(text: string): string | null {
  const name = text.replace(NOT_PRINTABLE, '').trim();
  return name === '' ? null : Array.from(name).slice(0, MAX_LENGTH).join('');
}

/**
 * Name in the header `x-gondola-operator`, which is percent-encoded; null if it is none of 1 to 100 printable
 * characters.
 */
export function operatorIn(header: string): string | null {
  try {
    const name = decodeURIComponent(header);
    const length = Array.from(name).length;
    return length === 0 || length > MAX_LENGTH || name.search(NOT_PRINTABLE) >= 0 ? null : name;
  } catch {
    return null;
  }
}
