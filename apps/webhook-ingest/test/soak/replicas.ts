import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { IngestBench } from '../support/ingest-bench.ts';
import { type IngestProcess, startIngestProcess } from '../support/ingest-process.ts';

/**
 * Processes of the app over one inbox, numbered from 0; each keeps its number, and what is on its disk, when it is
 * started again.
 */
export class Replicas {
  readonly #bench: IngestBench;
  readonly #slots: Promise<IngestProcess>[];
  readonly #urls: string[] = [];
  /** How often any was killed. */
  kills = 0;

  private constructor(bench: IngestBench, count: number) {
    this.#bench = bench;
    this.#slots = Array.from({ length: count }, (_, replica) => this.#start(replica));
  }

  /** Starts that many side by side, and returns when all are ready. */
  static async start(bench: IngestBench, count: number): Promise<Replicas> {
    const replicas = new Replicas(bench, count);
    await replicas.allReady();
    return replicas;
  }

  get count(): number {
    return this.#slots.length;
  }

  /** Where it listens, or listened until it was killed. */
  url(replica: number): string {
    return this.#urls[replica % this.count] ?? '';
  }

  async ready(replica: number): Promise<void> {
    await this.#slots[replica % this.count];
  }

  async allReady(): Promise<void> {
    await Promise.all(this.#slots);
  }

  /** SIGKILL, now; it is started again when `until` settles. Returns when it is dead. */
  async kill(replica: number, until: Promise<unknown>): Promise<void> {
    const before = await this.#slots[replica]!;
    this.#slots[replica] = until.then(() => this.#start(replica));
    // Whoever waits for it hears of a failure; that nobody may be waiting yet is no reason to end the process.
    this.#slots[replica].catch(() => {});
    this.kills += 1;
    await before.kill();
  }

  /** The replica whose relay is active; undefined while none says so. */
  async holder(): Promise<number | undefined> {
    const answers = this.#urls.map(async (url) => {
      const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) });
      return /^gondola_relay_active\{source="notifications"\} 1$/m.test(await response.text());
    });
    const active = await Promise.allSettled(answers);
    const index = active.findIndex((answer) => answer.status === 'fulfilled' && answer.value);
    return index < 0 ? undefined : index;
  }

  /** How many files wait in the spools to be imported. */
  async spooledFiles(): Promise<number> {
    const folders = this.#slots.map(async (_, replica) => readdir(this.#spoolOf(replica)));
    return (await Promise.all(folders)).flat().filter((name) => name.endsWith('.spool')).length;
  }

  #spoolOf(replica: number): string {
    return join(this.#bench.folder, `spool-of-${replica}`);
  }

  async #start(replica: number): Promise<IngestProcess> {
    const started = await startIngestProcess(this.#bench, { SPOOL_DIR: this.#spoolOf(replica) });
    this.#urls[replica] = started.url;
    return started;
  }
}
