import type { Logger } from '../logging/logger.ts';
import type { Startable } from './startable.ts';

import { settlesWithin } from './within.ts';

export interface RepeatingTaskOptions {
  readonly name: string;
  /** Milliseconds from the end of one run to the start of the next; a function is asked after each run. */
  readonly everyMs: number | (() => number);
  /** One run. An error is logged, and the next run starts at its time. */
  readonly run: () => Promise<void>;
  readonly logger: Logger;
}

/** Milliseconds between two runs of a task that deletes old rows. */
export const SWEEP_MS = 3_600_000;

const STOP_MS = 2_000;

/** Runs a task at intervals until stopped, never twice at once; the first run starts at once. */
export class RepeatingTask implements Startable {
  readonly name: string;
  readonly #options: RepeatingTaskOptions;
  #timer: NodeJS.Timeout | undefined;
  #stopped = true;
  #lastRunMs: number | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RepeatingTaskOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** End of the last run that did not fail, in milliseconds since 1970; null before it. */
  get lastRunMs(): number | null {
    return this.#lastRunMs;
  }

  async start(): Promise<void> {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#schedule(0);
  }

  /** Waits two seconds at most for a run in progress; no other run follows. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await settlesWithin(STOP_MS, this.#running);
  }

  #schedule(inMs: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#runOnce();
    }, inMs);
  }

  async #runOnce(): Promise<void> {
    const { run, logger, everyMs, name } = this.#options;
    try {
      await run();
      this.#lastRunMs = Date.now();
    } catch (err) {
      logger.warn({ err, component: name }, 'A repeated task failed and will run again');
    }
    if (!this.#stopped) this.#schedule(typeof everyMs === 'number' ? everyMs : everyMs());
  }
}
