import type { Tx } from '@gondola/service-kit/database/database';
import type { ShadowMode } from '@gondola/shared/shadow/shadow-points';
import { subjectOf } from '@gondola/shared/topics/identities';
import { liveTopic, shadowTopic, type TopicName } from '@gondola/shared/topics/topics';

import { type Column, NewRows } from '../store/new-rows.ts';
import type { Queryable } from '../store/queryable.ts';
import { RecentRows, type StoredRows } from './recent-rows.ts';
import { ordersNamedBy } from '../erased-orders/orders-named-by.ts';
import {
  encodeRecord,
  HEADER,
  headersFromText,
  headersToText,
  headerText,
  type OutRecord,
  type WireRecord,
} from '@gondola/kafka/records/record-codec';

const COLUMNS: readonly Column<WireRecord & { readonly text: string }>[] = [
  ['topic', 'text', ({ topic }) => topic],
  ['key', 'bytea', ({ key }) => key],
  ['headers', 'text', ({ text }) => text],
  ['value', 'bytea', ({ value }) => value],
  ['bytes', 'integer', ({ key, value, text }) => (key?.length ?? 0) + (value?.length ?? 0) + Buffer.byteLength(text)],
];

/** Records that a process holds at most, in bytes: those of about half a second at full load. */
const MOST_RECENT_BYTES = 16 * 1_048_576;

/** Records that this process committed a moment ago. */
export type RecentRecords = RecentRows<WireRecord>;

type StoredRow = { seq: string; version: string };

/** Says which records go to the twins of their topics (`ShadowModes`). */
export interface RecordModes {
  readonly of: (tenant: string | undefined, cameAt: number | null) => ShadowMode;
  readonly ready: (db: Queryable) => Promise<void>;
}

/** No tenant is in shadow. */
export const ALL_LIVE: RecordModes = { of: () => 'live', ready: async () => {} };

/** One parked record may have megabytes. */
const READ_AT_ONCE = 20;

/** $1 last place of the page before, $2 at most. */
const PARKED = `
  SELECT seq::text, key, headers, value FROM outbox WHERE parked_at IS NOT NULL AND seq > $1 ORDER BY seq LIMIT $2`;

/** $1 last place of the page before, $2 at most, $3 and $4 headers of the order's records, as they are stored. */
const WAITING = `
  SELECT seq::text, topic, value FROM outbox
  WHERE parked_at IS NULL AND seq > $1 AND strpos(headers, $3) > 0 AND strpos(headers, $4) > 0 ORDER BY seq LIMIT $2`;

const REPLACE = `
  UPDATE outbox SET value = $2, bytes = bytes - length(value) + length($2::bytea) WHERE seq = $1 AND value IS NOT NULL`;

type WaitingRow = { seq: string; topic: TopicName; value: Buffer | null };

type ParkedRow = { seq: string; key: Buffer | null; headers: string; value: Buffer | null };

/**
 * Mechanism 3, the writing half: records are published exactly if their transaction commits; `OutboxRelay` sends
 * them.
 *
 * Guarantees that the records of one entity are published in commit order, provided that its lane's row is locked
 * (`wake`, `checkpoint` or `finish`) before `append`, because the sequence numbers are drawn here. Tested in
 * outbox.int.spec.ts.
 */
export class Outbox {
  readonly recent: RecentRecords = new RecentRows(MOST_RECENT_BYTES);
  readonly #app: string;
  readonly #modes: RecordModes;

  /** @param app name of the app in `ce_source` */
  constructor(app: string, modes: RecordModes = ALL_LIVE) {
    this.#app = app;
    this.#modes = modes;
  }

  /** To be called in a transaction before `add`. */
  async ready(tx: Tx): Promise<void> {
    await this.#modes.ready(tx);
  }

  /** Adds records in their order. */
  async append(tx: Tx, records: readonly OutRecord[]): Promise<void> {
    await this.ready(tx);
    const rows = new NewRows();
    this.add(rows, records);
    await rows.insert(tx);
  }

  /** Adds records in their order to other new rows, and returns them in their wire form. */
  add(rows: NewRows, records: readonly OutRecord[]): readonly WireRecord[] {
    const wire = records.map((record) => {
      const { tenant, cameAt = null } = record;
      return this.#addressed(encodeRecord(record, this.#app), tenant, cameAt);
    });
    addWire(rows, wire);
    return wire;
  }

  /** Inserts rows to which records were added last, and returns these records for `hold`. */
  async insert(tx: Tx, rows: NewRows, records: readonly WireRecord[]): Promise<StoredRows<WireRecord>> {
    const stored = await rows.insert<StoredRow>(tx);
    const held = records.map((content, index) => ({
      id: Number(stored[index]!.seq),
      bytes: content.value?.length ?? 0,
      content,
    }));
    return { rows: held, version: records.length === 0 ? '' : stored[0]!.version };
  }

  /** Holds committed records for the relay of this process, if that is the active one. */
  hold(stored: StoredRows<WireRecord>, isActive: boolean): void {
    if (isActive) this.recent.add(stored);
    else this.recent.clear();
  }

  /** Adds records whose headers are complete, such as dead letters. `tenant`: of those whose headers name none. */
  async appendWire(tx: Tx, records: readonly WireRecord[], tenant?: string): Promise<void> {
    await this.ready(tx);
    const rows = new NewRows();
    addWire(
      rows,
      records.map((record) => this.#addressed(record, tenant ?? headerText(record.headers, HEADER.tenant), null)),
    );
    await rows.insert(tx);
  }

  /** Nothing of a tenant in shadow reaches a topic that the ERP, or the old connector, reads. */
  #addressed(record: WireRecord, tenant: string | undefined, cameAt: number | null): WireRecord {
    return this.#modes.of(tenant, cameAt) === 'shadow' ? { ...record, topic: shadowTopic(record.topic) } : record;
  }

  /**
   * Replaces the values of an order's records that wait for the relay by what `redacted` makes of them; null leaves one
   * as it is. The order's lane is locked, so none is added meanwhile. What the relay sends at this moment has left.
   */
  async redactWaiting(
    tx: Tx,
    { tenant, orderNumber }: { readonly tenant: string; readonly orderNumber: string },
    redacted: (topic: TopicName, value: Buffer) => Buffer | null,
  ): Promise<void> {
    const subject = subjectOf({ kind: 'order', identity: orderNumber });
    const headers = [JSON.stringify([HEADER.tenant, tenant]), JSON.stringify([HEADER.subject, subject])];
    for (let after = '0'; ;) {
      const { rows } = await tx.query<WaitingRow>(WAITING, [after, READ_AT_ONCE, ...headers]);
      for (const { seq, topic, value } of rows) {
        const left = value === null ? null : redacted(liveTopic(topic), value);
        if (left !== null) await tx.query(REPLACE, [seq, left]);
      }
      if (rows.length < READ_AT_ONCE) return;
      after = rows.at(-1)!.seq;
    }
  }

  /**
   * Deletes the parked records about an order, which Kafka refused for good, and returns their number: only an
   * operator could still send them, and their content is erased.
   */
  async eraseParked(tx: Tx, tenant: string, orderNumber: string): Promise<number> {
    const ids: string[] = [];
    for (let after = '0'; ;) {
      const { rows } = await tx.query<ParkedRow>(PARKED, [after, READ_AT_ONCE]);
      ids.push(...rows.filter((row) => isAbout(row, tenant, orderNumber)).map(({ seq }) => seq));
      if (rows.length < READ_AT_ONCE) break;
      after = rows.at(-1)!.seq;
    }
    return (await tx.query('DELETE FROM outbox WHERE seq = ANY ($1::bigint[])', [ids])).rowCount ?? 0;
  }
}

/** A record without a tenant may belong to any tenant. */
function isAbout({ headers, ...record }: ParkedRow, tenant: string, orderNumber: string): boolean {
  const owner = headerText(headersFromText(headers), HEADER.tenant) ?? tenant;
  return owner === tenant && ordersNamedBy(record).has(orderNumber);
}

function addWire(rows: NewRows, records: readonly WireRecord[]): void {
  rows.add(
    'outbox',
    COLUMNS,
    records.map((record) => ({ ...record, text: headersToText(record.headers) })),
    'RETURNING seq::text, xmin::text AS version',
  );
}
