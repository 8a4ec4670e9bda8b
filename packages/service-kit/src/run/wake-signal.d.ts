/**
 * A wait that can be ended from outside. A signal that arrives while nothing waits ends the next wait, so that no
 * signal is lost. For one waiter.
 */
export declare class WakeSignal {
  #private;
  signal(): void;
  /** Waits until the next signal, for `ms` at most. */
  wait(ms?: number): Promise<void>;
}
