import type { Logger } from '../logging/logger.ts';

/** What is left of the limit for the process itself to end in. */
const OF_THE_LIMIT = 0.9;

/**
 * The one deadline of a whole shutdown. A step that does not end is left behind, so that those after it have their turn
 * and the sum stays below the limit: half of the time is shared out evenly, the other half goes to whoever needs it
 * first.
 */
export class StopDeadline {
  readonly #logger: Logger;
  readonly #endsAtMs: number;
  readonly #reserveMs: number;
  readonly #leftBehind: string[] = [];
  #stepsLeft: number;

  /** From now on: so many steps at most, within `limitMs` milliseconds. */
  constructor({ limitMs, steps, logger }: { limitMs: number; steps: number; logger: Logger }) {
    const wholeMs = limitMs * OF_THE_LIMIT;
    this.#logger = logger;
    this.#endsAtMs = performance.now() + wholeMs;
    this.#reserveMs = wholeMs / (2 * steps);
    this.#stepsLeft = steps;
  }

  /** The steps that did not end in time. */
  get leftBehind(): readonly string[] {
    return this.#leftBehind;
  }

  /**
   * Waits for a step, which is told its time in milliseconds, as long as it may take. Never throws: a failure is
   * logged.
   */
  async step(name: string, work: (limitMs: number) => Promise<void>): Promise<void> {
    this.#stepsLeft = Math.max(0, this.#stepsLeft - 1);
    const limitMs = Math.max(0, this.#endsAtMs - performance.now() - this.#stepsLeft * this.#reserveMs);
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => late.resolve('late'), limitMs);
    try {
      if ((await Promise.race([work(limitMs), late.promise])) !== 'late') return;
      this.#leftBehind.push(name);
      this.#logger.error({ startable: name, timeoutMs: Math.round(limitMs) }, 'A part did not stop in time');
    } catch (err) {
      this.#logger.error({ err, startable: name }, 'A part did not stop cleanly');
    } finally {
      clearTimeout(timer);
    }
  }
}
