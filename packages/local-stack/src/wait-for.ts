import { LocalStackError } from './local-stack-error.ts';

type Falsy = false | 0 | '' | null | undefined;

export interface WaitForOptions {
  /** Completes the sentence "Waited … for": `'two records in erp.orders.events'`. */
  describe: string;
  /** Default `WAIT_LIMIT_MS`. */
  timeoutMs?: number;
}

/** Long enough to end what hangs, and never what a slow machine delays; shorter than Jest's limit for a test. */
export const WAIT_LIMIT_MS = 540_000;
/** The same for a single answer, of a server or a query: shorter than the time for which `fetch` waits. */
export const ANSWER_LIMIT_MS = 240_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;

/**
 * Calls `condition` until it returns a truthy value, and returns that value. If it throws, it is called again; if
 * it hangs, the time-out applies. The error (`WAIT_TIMEOUT`) describes the condition and the last value or error.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { describe, timeoutMs = WAIT_LIMIT_MS }: WaitForOptions,
): Promise<Exclude<T, Falsy>> {
  const deadline = performance.now() + timeoutMs;
  let last = 'it was never answered';
  let cause: unknown;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const answer = await ask(condition, deadline - performance.now());
    if (answer.kind === 'value') {
      if (answer.value) return answer.value as Exclude<T, Falsy>;
      last = `last value: ${show(answer.value)}`;
      cause = undefined;
    } else if (answer.kind === 'error') {
      last = `last error: ${answer.error instanceof Error ? answer.error.message : show(answer.error)}`;
      cause = answer.error;
    } else {
      last += ', and the last question was still open';
    }
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) {
      throw new LocalStackError('WAIT_TIMEOUT', `Waited ${timeoutMs} ms in vain for ${describe}; ${last}`, { cause });
    }
    await pause(Math.min(pauseMs, leftMs));
  }
}

type Answer<T> = { kind: 'value'; value: T } | { kind: 'error'; error: unknown } | { kind: 'none' };

async function ask<T>(condition: () => T | Promise<T>, limitMs: number): Promise<Answer<T>> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<Answer<T>>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'none' }), Math.max(limitMs, 0));
  });
  const answer = (async (): Promise<Answer<T>> => {
    try {
      return { kind: 'value', value: await condition() };
    } catch (error) {
      return { kind: 'error', error };
    }
  })();
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
