import { setTimeout as delay } from 'node:timers/promises';
import { reasonCode } from '../health/health.ts';
import type { Health } from '../health/health.ts';
import type { Logger } from '../logging/logger.ts';
import type { Startable } from './startable.ts';
import type { StopDeadline } from './stop-deadline.ts';
import { SettingError } from '../config/config.ts';
import { isTransientStartFailure } from '../database/database-errors.ts';

export interface StartSequenceOptions {
  parts: readonly Startable[];
  health: Health;
  logger: Logger;
  /** Waits between attempts double from `first` to `most`, in milliseconds. */
  retryMs: { first: number; most: number };
  /** Told when a background part fails for good. */
  onFailure: (error: unknown) => void;
}

/** A start that has not ended by then is no longer waited for when stopping. */
const UNFINISHED_START_MS = 2_000;

/**
 * Starts parts one after the other, each again and again while its failure is transient, and stops in reverse those
 * that were begun. Background parts hold nobody up.
 */
export class StartSequence {
  readonly #options: StartSequenceOptions;
  readonly #begun: { part: Startable; start: Promise<void> }[] = [];
  readonly #stopping = new AbortController();

  constructor(options: StartSequenceOptions) {
    this.#options = options;
    for (const part of options.parts) this.#tell(part, { state: 'waiting' });
  }

  /**
   * Resolves when every part but the background ones has started, or when stopping began; throws a permanent failure.
   */
  async start(): Promise<void> {
    for (const part of this.#options.parts) {
      if (this.#stopping.signal.aborted) return;
      const start = this.#bringUp(part);
      this.#begun.push({ part, start });
      if (part.background === true) start.catch(this.#options.onFailure);
      else await start;
    }
  }

  /** Each part is a step of `deadline`. */
  async stop(deadline: StopDeadline): Promise<void> {
    this.#stopping.abort();
    for (const { part, start } of this.#begun.toReversed()) {
      await deadline.step(part.name, async (limitMs) => {
        await settledOrLate(start, Math.min(UNFINISHED_START_MS, limitMs / 2));
        await part.stop().finally(() => this.#tell(part, { state: 'stopped' }));
      });
    }
  }

  async #bringUp(part: Startable): Promise<void> {
    const { logger, retryMs } = this.#options;
    for (let attempts = 1; !this.#stopping.signal.aborted; attempts += 1) {
      if (attempts === 1) {
        this.#tell(part, { state: 'starting', ...(part.waitsFor === undefined ? {} : { waitsFor: part.waitsFor }) });
      }
      try {
        await part.start();
        this.#tell(part, { state: 'started' });
        logger.info({ startable: part.name, attempts }, 'Started');
        return;
      } catch (err) {
        if (this.#stopping.signal.aborted) return;
        const isTransient = isTransientStartFailure(err);
        if (!isTransient && part.keepsTrying !== true) throw err;
        const retryInMs = Math.min(retryMs.most, retryMs.first * 2 ** (attempts - 1));
        const named = err instanceof SettingError ? { variable: err.variable } : {};
        this.#tell(part, { state: 'retrying', attempts, reason: reasonCode(err), ...named });
        logger[isTransient ? 'warn' : 'error'](
          { err, startable: part.name, attempts, retryInMs, ...named },
          'Could not start yet',
        );
        await delay(retryInMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      }
    }
  }

  #tell(part: Startable, state: Parameters<Health['setPart']>[1]): void {
    this.#options.health.setPart(part.name, state, part.background !== true);
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
