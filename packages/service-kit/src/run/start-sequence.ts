import { doubledMs } from '@gondola/shared/backoff';
import { setTimeout as delay } from 'node:timers/promises';
import { reasonCode } from '../health/health.ts';
import type { Health } from '../health/health.ts';
import type { Logger } from '../logging/logger.ts';
import type { Startable } from './startable.ts';
import { SettingError } from '../config/config.ts';
import { isTransientStartFailure } from '../database/database-errors.ts';

export interface StartSequenceOptions {
  startables: readonly Startable[];
  health: Health;
  logger: Logger;
  /** Delays between attempts double from `first` up to `most`, in milliseconds. */
  retryMs: { first: number; most: number };
  /** Called when a background startable fails permanently. */
  onFailure: (error: unknown) => void;
}

/** Time for which a stop waits for a start that has not ended. */
const UNFINISHED_START_MS = 2_000;

/**
 * Starts the startables one after the other, repeats a start while its failure is transient, and stops in reverse
 * order everything that it began to start. It does not wait for background startables. Nest's hooks alone do not do:
 * they run once, all of a module together, before HTTP listens (ADR 11).
 */
export class StartSequence {
  readonly #options: StartSequenceOptions;
  readonly #begun: { startable: Startable; start: Promise<void> }[] = [];
  readonly #stopping = new AbortController();

  constructor(options: StartSequenceOptions) {
    this.#options = options;
    for (const startable of options.startables) this.#report(startable, { state: 'waiting' });
  }

  /**
   * Resolves when every startable except background ones has started, or when stopping began. Throws a permanent
   * failure.
   */
  async start(): Promise<void> {
    for (const startable of this.#options.startables) {
      if (this.#stopping.signal.aborted) return;
      const start = this.#bringUp(startable);
      this.#begun.push({ startable, start });
      if (startable.background === true) start.catch(this.#options.onFailure);
      else await start;
    }
  }

  /** Each startable is a step of `deadline`. */
  async stop(deadline: StopDeadline): Promise<void> {
    this.#stopping.abort();
    for (const { startable, start } of this.#begun.toReversed()) {
      await deadline.step(startable.name, async (limitMs) => {
        await settledOrLate(start, Math.min(UNFINISHED_START_MS, limitMs / 2));
        await startable.stop().finally(() => this.#report(startable, { state: 'stopped' }));
      });
    }
  }

  async #bringUp(startable: Startable): Promise<void> {
    const { logger, retryMs } = this.#options;
    for (let attempts = 1; !this.#stopping.signal.aborted; attempts += 1) {
      if (attempts === 1) {
        this.#report(startable, {
          state: 'starting',
          ...(startable.waitsFor === undefined ? {} : { waitsFor: startable.waitsFor }),
        });
      }
      try {
        await startable.start();
        this.#report(startable, { state: 'started' });
        logger.info({ startable: startable.name, attempts }, 'A startable was started');
        return;
      } catch (err) {
        if (this.#stopping.signal.aborted) return;
        const isTransient = isTransientStartFailure(err);
        if (!isTransient && startable.retriesEveryFailure !== true) throw err;
        const retryInMs = doubledMs(retryMs.first, attempts, retryMs.most);
        const named = err instanceof SettingError ? { variable: err.variable } : {};
        this.#report(startable, { state: 'retrying', attempts, reason: reasonCode(err), ...named });
        logger[isTransient ? 'warn' : 'error'](
          { err, startable: startable.name, attempts, retryInMs, ...named },
          'Could not start yet',
        );
        await delay(retryInMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      }
    }
  }

  #report(startable: Startable, state: Parameters<Health['setStartable']>[1]): void {
    this.#options.health.setStartable(startable.name, state, startable.background !== true);
  }
}

async function settledOrLate(start: Promise<void>, limitMs: number): Promise<void> {
  const late = new AbortController();
  await Promise.race([
    start.catch(() => undefined),
    delay(limitMs, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
}

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
