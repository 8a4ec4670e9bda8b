import { counted } from '@gondola/service-kit/http/counted.dto';

import type { Queryable } from '@gondola/lanes/store/queryable';
import type { ParkedGroup, ParkedRecord, ReleasedRecord, ReleasedRecords } from './parked.dto.ts';

export interface ParkedFilter {
  readonly tenant?: string;
  readonly topic?: string;
  readonly reason?: string;
}

/** Parked records that one request releases at most, so that it ends soon. */
const AT_ONCE = 10_000;
const MAX_GROUPS = 200;

/** Columns of a table with parked rows, as SQL on its one alias-free table. */
export interface ParkedTable {
  readonly table: string;
  readonly id: string;
  readonly tenant: string;
  readonly reason: string;
  readonly storedAt: string;
  readonly bytes: string;
  readonly subject: string;
  readonly type: string;
  /** Condition of a row that an operator can release. */
  readonly where: string;
}

/**
 * Parked records of an app, for its operators: rows of a table that has `topic`, `parked_at` and `parked_reason`. The
 * app says which table.
 */
export abstract class ParkedSource {
  readonly #db: Queryable;
  readonly #table: ParkedTable;
  readonly #relay: { wake(): void };
  /** Select of a record. */
  readonly #select: string;

  constructor(db: Queryable, table: ParkedTable, relay: { wake(): void }) {
    this.#db = db;
    this.#table = table;
    this.#relay = relay;
    this.#select = `SELECT ${table.id}::text AS id, ${table.tenant} AS tenant, topic, ${table.reason} AS reason,
      parked_at AS "parkedAt", ${table.storedAt} AS "storedAt", ${table.bytes} AS bytes, ${table.type} AS type,
      ${table.subject} AS subject FROM ${table.table} WHERE ${table.where}`;
  }

  /** Newest first, those before an id. */
  async list(filter: ParkedFilter, before: string, limit: number): Promise<ParkedRecord[]> {
    const { id } = this.#table;
    const values: unknown[] = [limit, before];
    const page = `AND ${id} < $2::bigint ORDER BY ${this.#table.table}.${id} DESC LIMIT $1`;
    const text = `${this.#select} ${this.#condition(filter, values)} ${page}`;
    return (await this.#db.query<ParkedRecord & Row>(text, values)).rows;
  }

  /** Null if none is parked with this id. */
  async find(id: string): Promise<ParkedRecord | null> {
    const { rows } = await this.#db.query<ParkedRecord & Row>(`${this.#select} AND ${this.#table.id} = $1::bigint`, [
      id,
    ]);
    return rows[0] ?? null;
  }

  async groups(tenant: string | null): Promise<ParkedGroup[]> {
    const { table, where, reason, tenant: of } = this.#table;
    const values = tenant === null ? [] : [tenant];
    const text = `SELECT ${of} AS tenant, ${reason} AS reason, topic, count(*)::integer AS count,
      min(parked_at) AS "oldestAt", max(parked_at) AS "newestAt" FROM ${table}
      WHERE ${where} ${tenant === null ? '' : `AND ${of} = $1`} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LIMIT ${MAX_GROUPS}`;
    const { rows } = await this.#db.query<GroupRow>(text, values);
    return rows.map(({ count, ...group }) => ({ ...group, ...counted(count) }));
  }

  /** Lets the relay send it again; null if none is parked with this id. */
  async release(id: string): Promise<ReleasedRecord | null> {
    const { table, where } = this.#table;
    const text = `UPDATE ${table} SET parked_at = NULL, parked_reason = NULL WHERE ${where} AND ${this.#table.id} = $1::bigint
      RETURNING ${this.#table.id}::text AS id, topic`;
    const { rows } = await this.#db.query<ReleasedRecord & Row>(text, [id]);
    this.#relay.wake();
    return rows[0] ?? null;
  }

  /** Lets the relay send all that match again. */
  async releaseAll(filter: ParkedFilter): Promise<ReleasedRecords> {
    const { table, where, id } = this.#table;
    const values: unknown[] = [AT_ONCE];
    const text = `UPDATE ${table} SET parked_at = NULL, parked_reason = NULL WHERE ${where} AND ${id} IN
      (SELECT ${id} FROM ${table} WHERE ${where} ${this.#condition(filter, values)} ORDER BY ${id} LIMIT $1)`;
    const { rowCount } = await this.#db.query(text, values);
    this.#relay.wake();
    const released = rowCount ?? 0;
    return { released, isMore: released === AT_ONCE };
  }

  #condition({ tenant, topic, reason }: ParkedFilter, values: unknown[]): string {
    const equal = (column: string, value: string | undefined): string =>
      value === undefined ? '' : `AND ${column} = $${values.push(value)}`;
    return [equal(this.#table.tenant, tenant), equal('topic', topic), equal(this.#table.reason, reason)].join(' ');
  }
}

type Row = { [column: string]: unknown };
type GroupRow = Omit<ParkedGroup, 'isMore'> & Row;
