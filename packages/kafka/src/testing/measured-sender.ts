import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { WireRecord } from '../records/record-codec.ts';
import type { RecordSender, SendAnswer } from '../produce/kafka-sender.ts';

export interface MemoryReading {
  readonly sent: number;
  /** Memory on the heap and in buffers after a garbage collection. */
  readonly heldBytes: number;
  readonly rssBytes: number;
}

/** Writes the memory that the process holds whenever `every` more records were sent. */
export class MeasuredSender implements RecordSender {
  readonly #inner: RecordSender;
  readonly #every: number;
  #sent = 0;

  constructor(inner: RecordSender, every: number) {
    this.#inner = inner;
    this.#every = every;
  }

  async send(records: readonly WireRecord[]): Promise<SendAnswer> {
    const answer = await this.#inner.send(records);
    const before = this.#sent;
    this.#sent += records.length;
    if (Math.floor(this.#sent / this.#every) > Math.floor(before / this.#every)) await this.#measure();
    return answer;
  }

  async sentSince(...of: Parameters<RecordSender['sentSince']>): ReturnType<RecordSender['sentSince']> {
    return this.#inner.sentSince(...of);
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  /** Collects twice: memory of buffers freed by the first collection is counted as free only after the second. */
  async #measure(): Promise<void> {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let times = 0; times < 2; times += 1) {
      collect();
      await setImmediate();
    }
    const { heapUsed, external, rss } = process.memoryUsage();
    const reading: MemoryReading = { sent: this.#sent, heldBytes: heapUsed + external, rssBytes: rss };
    process.stdout.write(`MEMORY ${JSON.stringify(reading)}\n`);
  }
}
