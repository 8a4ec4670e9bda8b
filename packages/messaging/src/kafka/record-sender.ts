import type { WireRecord } from '../codec/record-codec.ts';

/**
 * `refused`: at least one of the records will never be taken, for this reason of the broker's; some of the others may
 * have been.
 */
export type SendAnswer = { readonly kind: 'sent' } | { readonly kind: 'refused'; readonly code: string };

/** Where a relay's records go. */
export interface RecordSender {
  /**
   * Sends records; those of one partition keep their order. Throws a `RecordSendError` when it is not known what became
   * of them, and must then be called again with the same ones before any later one.
   */
  send(records: readonly WireRecord[]): Promise<SendAnswer>;
  close(): Promise<void>;
}

/**
 * Kafka is away, too slow, or not set up for these records. Nothing is wrong with the records themselves: try again
 * later.
 */
export class RecordSendError extends Error {
  readonly code = 'KAFKA_SEND_FAILED';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RecordSendError';
  }
}
