import type { Tx } from '@gondola/service-kit/database/database';

import { multiRow } from '../store/multi-row.ts';
import { encodeRecord, headersToText, type OutRecord, type WireRecord } from '../codec/record-codec.ts';

const TYPES = ['text', 'bytea', 'text', 'bytea', 'integer'] as const;

/**
 * Mechanism 3, the writing half: records appear exactly if their transaction commits; `OutboxRelay`
 * sends them.
 *
 * Gives: the records of one entity leave in the order of the commits, provided that its lane's row is locked (`wake`,
 * `checkpoint` or
 * `finish`) before `append`, because the sequence numbers are drawn here. Tested in outbox.int.spec.ts.
 */
export class Outbox {
  readonly #app: string;

  /** `app` is the name in `ce_source`. */
  constructor(app: string) {
    this.#app = app;
  }

  /** Adds records in their order. */
  async append(tx: Tx, records: readonly OutRecord[]): Promise<void> {
    await this.appendWire(
      tx,
      records.map((record) => encodeRecord(record, this.#app)),
    );
  }

  /** Adds records whose headers are complete, such as dead letters. */
  async appendWire(tx: Tx, records: readonly WireRecord[]): Promise<void> {
    for (const { tuples, values } of multiRow(records, TYPES, outboxRow)) {
      await tx.query(`INSERT INTO outbox (topic, key, headers, value, bytes) VALUES ${tuples}`, values);
    }
  }
}

function outboxRow({ topic, key, headers, value }: WireRecord): readonly unknown[] {
  const headersText = headersToText(headers);
  const bytes = (key?.length ?? 0) + (value?.length ?? 0) + Buffer.byteLength(headersText);
  return [topic, key, headersText, value, bytes];
}
