import { waitFor } from '@gondola/local-stack/wait-for';

import type { Child } from '@gondola/kafka/testing/child-process';
import { endLeases, startVictim } from '@gondola/lanes/testing/end-leases';
import type { LoneWorker, LoneWorkerOptions } from './lone-worker.ts';

/** A worker in a process of its own, to be killed, and one in this process that finds what it leaves. */
export class KilledWorker<W extends LoneWorker = LoneWorker> {
  readonly survivor: W;
  readonly #main: URL;
  readonly #options: LoneWorkerOptions;
  /** By which PostgreSQL knows the connections of the victim. */
  readonly #name: string;
  readonly #onClose: () => Promise<unknown>;
  #victim: Child | undefined;

  private constructor(survivor: W, main: URL, options: LoneWorkerOptions, onClose: () => Promise<unknown>) {
    this.survivor = survivor;
    this.#main = main;
    this.#options = options;
    this.#name = `${options.schema}.${options.tenant}`;
    this.#onClose = onClose;
  }

  /**
   * Starts neither of the two.
   *
   * @param main starts a worker with `options`, which it reads as JSON from its first argument
   * @param onClose runs last
   */
  static async create<W extends LoneWorker>(
    survivor: W,
    main: URL,
    options: LoneWorkerOptions,
    onClose: () => Promise<unknown> = async () => {},
  ): Promise<KilledWorker<W>> {
    await survivor.database.connect();
    return new KilledWorker(survivor, main, options, onClose);
  }

  async start(): Promise<void> {
    await this.#endLeases();
    await this.#victim?.clear();
    this.#victim = await startVictim(this.#main, this.#options, this.#name);
  }

  async kill(): Promise<void> {
    await this.#victim?.kill();
  }

  /** Throws if the victim ends by itself. */
  async untilDead(): Promise<void> {
    const { signal } = await this.#victim!.exited;
    if (signal !== 'SIGKILL') throw new Error(`The victim ended by itself: ${await this.#victim!.output()}`);
  }

  /** Kills the worker, ends its leases, and lets the survivor go on. */
  async takeOver(): Promise<void> {
    await this.kill();
    await this.#endLeases();
    await this.survivor.work();
  }

  /** All results, once there are so many. */
  async results(count = 1): Promise<Record<string, unknown>[]> {
    const enough = async () => {
      const published = await this.survivor.results();
      return published.length >= count && published;
    };
    return waitFor(enough, { describe: `${count} results of ${this.#name}` });
  }

  async close(): Promise<void> {
    await this.#victim?.clear();
    await this.survivor.stop();
    await this.#onClose();
  }

  async #endLeases(): Promise<void> {
    await endLeases(this.#options, this.#name, this.#options.tenant);
  }
}
