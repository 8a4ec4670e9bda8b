import type { Logger } from '../logging/logger.ts';

/** The remaining tenth is for the end of the process itself. */
const STEPS_SHARE = 0.9;

/**
 * The one deadline of a whole shutdown. A step that does not end in time is abandoned, so that later steps run and
 * the sum stays below the limit: half of the time is divided evenly, the other half goes to the first steps that
 * require more.
 */
export class StopDeadline {
  readonly #logger: Logger;
  readonly #endsAtMs: number;
  readonly #reserveMs: number;
  readonly #leftBehind: string[] = [];
  #stepsLeft: number;

  /** At most `steps` steps within `limitMs` milliseconds from now. */
  constructor({ limitMs, steps, logger }: { limitMs: number; steps: number; logger: Logger }) {
    const wholeMs = limitMs * STEPS_SHARE;
    this.#logger = logger;
    this.#endsAtMs = performance.now() + wholeMs;
    this.#reserveMs = wholeMs / (2 * steps);
    this.#stepsLeft = steps;
  }

  /** Names of the steps that did not end in time. */
  get leftBehind(): readonly string[] {
    return this.#leftBehind;
  }

  /** Waits for a step, at most for its share of the time, in milliseconds. Never throws: a failure is logged. */
  async step(name: string, work: (limitMs: number) => Promise<void>): Promise<void> {
    this.#stepsLeft = Math.max(0, this.#stepsLeft - 1);
    const limitMs = Math.max(0, this.#endsAtMs - performance.now() - this.#stepsLeft * this.#reserveMs);
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => late.resolve('late'), limitMs);
    try {
      if ((await Promise.race([work(limitMs), late.promise])) !== 'late') return;
      this.#leftBehind.push(name);
      this.#logger.error({ startable: name, timeoutMs: Math.round(limitMs) }, 'A startable did not stop in time');
    } catch (err) {
      this.#logger.error({ err, startable: name }, 'A startable did not stop cleanly');
    } finally {
      clearTimeout(timer);
    }
  }
}
