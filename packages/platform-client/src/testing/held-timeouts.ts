import { channel } from 'node:diagnostics_channel';

/** Time limit of calls that time out when a test says so. No other timer has this time. */
export const HELD_MS = 2_000_000_000;

export interface HeldTimeouts {
  /** Ends the time of all calls that run with the limit `HELD_MS`. */
  timeOut(): void;
  /** Ends it as soon as the next head of an answer has been read in this process. */
  timeOutOnceAnswered(): void;
  /** Puts the clock back. */
  release(): void;
}

/**
 * Replaces the clock of calls with the limit `HELD_MS`, until released: how far a call comes before it times out is
 * up to the test, and not to the speed of the machine.
 */
export function holdTimeouts(): HeldTimeouts {
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  const answers = channel('undici:request:headers');
  const held = new Map<unknown, () => void>();
  const undo = new DisposableStack();
  const hold = (callback: () => void, ms?: number, ...values: unknown[]): NodeJS.Timeout => {
    const timer = start(callback, ms, ...(values as []));
    if (ms === HELD_MS) held.set(timer, callback);
    return timer;
  };
  const end = (timer?: NodeJS.Timeout): void => {
    held.delete(timer);
    clear(timer);
  };
  Object.assign(globalThis, { setTimeout: hold, clearTimeout: end });
  undo.defer(() => Object.assign(globalThis, { setTimeout: start, clearTimeout: clear }));
  const timeOut = (): void => {
    for (const [timer, callback] of held) {
      end(timer as NodeJS.Timeout);
      callback();
    }
  };
  return {
    timeOut,
    timeOutOnceAnswered: () => {
      const read = (): void => {
        answers.unsubscribe(read);
        // The call learns of the answer after the channel does.
        queueMicrotask(timeOut);
      };
      answers.subscribe(read);
      undo.defer(() => answers.unsubscribe(read));
    },
    release: () => undo.dispose(),
  };
}
