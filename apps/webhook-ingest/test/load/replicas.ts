import type { AppProcess } from '@gondola/local-stack/testing/app-process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { IngestBench } from '../support/ingest-bench.ts';

/**
 * Processes of the app over one inbox, numbered from 0. A restarted process has the same number and the same disk.
 */
export class Replicas {
  readonly #bench: IngestBench;
  readonly #slots: Promise<AppProcess>[];
  readonly #urls: string[] = [];
  /** Number of kills of all replicas. */
  kills = 0;

  private constructor(bench: IngestBench, count: number) {
    this.#bench = bench;
    this.#slots = Array.from({ length: count }, (_, replica) => this.#start(replica));
  }

  /** Starts that many replicas in parallel, and returns when all are ready. */
  static async start(bench: IngestBench, count: number): Promise<Replicas> {
    const replicas = new Replicas(bench, count);
    await replicas.allReady();
    return replicas;
  }

  get count(): number {
    return this.#slots.length;
  }

  /** Address of the replica; after a kill, its last address. */
  url(replica: number): string {
    return this.#urls[replica % this.count] ?? '';
  }

  async ready(replica: number): Promise<void> {
    await this.#slots[replica % this.count];
  }

  async allReady(): Promise<void> {
    await Promise.all(this.#slots);
  }

  /** Sends SIGKILL now; the replica is started again when `until` settles. Returns when it is dead. */
  async kill(replica: number, until: Promise<unknown>): Promise<void> {
    const before = await this.#slots[replica]!;
    this.#slots[replica] = until.then(() => this.#start(replica));
    // A caller that waits for the replica sees the failure; without a caller, an unhandled rejection must not end
    // this process.
    this.#slots[replica].catch(() => {});
    this.kills += 1;
    await before.kill();
  }

  /** The replica whose relay is active; undefined if none is known. */
  async holder(): Promise<number | undefined> {
    const answers = this.#urls.map(async (url) => {
      const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) });
      return /^gondola_relay_active\{source="notifications"\} 1$/m.test(await response.text());
    });
    const active = await Promise.allSettled(answers);
    const index = active.findIndex((answer) => answer.status === 'fulfilled' && answer.value);
    return index < 0 ? undefined : index;
  }

  /** Number of files in all spools that wait to be imported. */
  async spooledFiles(): Promise<number> {
    const folders = this.#slots.map(async (_, replica) => readdir(this.#spoolOf(replica), { recursive: true }));
    return (await Promise.all(folders)).flat().filter((name) => name.endsWith('.spool')).length;
  }

  #spoolOf(replica: number): string {
    return join(this.#bench.folder, `spool-of-${replica}`);
  }

  async #start(replica: number): Promise<AppProcess> {
    const started = await this.#bench.startProcess({ SPOOL_DIR: this.#spoolOf(replica) });
    this.#urls[replica] = started.url;
    return started;
  }
}
