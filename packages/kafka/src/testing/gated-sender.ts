import { headerText, type WireRecord } from '../records/record-codec.ts';
import type { RecordSender, SendAnswer } from '../produce/kafka-sender.ts';

/** Forwards sends to another sender only while it is open, and records which ones began. */
export class GatedSender implements RecordSender {
  /** `ce_id`s of each send that began, in order. */
  readonly begun: Array<ReadonlyArray<string | undefined>> = [];
  readonly #inner: RecordSender;
  #gate = newGate();

  constructor(inner: RecordSender) {
    this.#inner = inner;
  }

  open(): void {
    this.#gate.resolve();
  }

  /** Fails the waiting sends, as if Kafka had not answered; later sends wait again. */
  fail(error: Error): void {
    const { reject } = this.#gate;
    this.#gate = newGate();
    reject(error);
  }

  async send(records: readonly WireRecord[]): Promise<SendAnswer> {
    this.begun.push(records.map(({ headers }) => headerText(headers, 'ce_id')));
    await this.#gate.promise;
    return this.#inner.send(records);
  }

  async sentSince(...of: Parameters<RecordSender['sentSince']>): ReturnType<RecordSender['sentSince']> {
    return this.#inner.sentSince(...of);
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }
}

function newGate(): PromiseWithResolvers<void> {
  return Promise.withResolvers<void>();
}
