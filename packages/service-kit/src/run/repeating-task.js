import { settlesWithin } from './within.js';
/** Milliseconds between two runs of a task that deletes old rows. */
export const SWEEP_MS = 3_600_000;
const STOP_MS = 2_000;
/** Runs a task at intervals until stopped, never twice at once; the first run starts at once. */
export class RepeatingTask {
  name;
  #options;
  #timer;
  #stopped = true;
  #running = Promise.resolve();
  constructor(options) {
    this.name = options.name;
    this.#options = options;
  }
  async start() {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#schedule(0);
  }
  /** Waits two seconds at most for a run in progress; no other run follows. */
  async stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await settlesWithin(STOP_MS, this.#running);
  }
  #schedule(inMs) {
    this.#timer = setTimeout(() => {
      this.#running = this.#runOnce();
    }, inMs);
  }
  async #runOnce() {
    const { run, logger, everyMs, name } = this.#options;
    try {
      await run();
    } catch (err) {
      logger.warn({ err, component: name }, 'A repeated task failed and will run again');
    }
    if (!this.#stopped) this.#schedule(everyMs);
  }
}
//# sourceMappingURL=repeating-task.js.map
