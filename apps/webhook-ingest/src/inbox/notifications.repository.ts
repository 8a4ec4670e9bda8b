import { ALL_LIVE, type RecordModes } from '@gondola/lanes/outbox/outbox';
import { ShadowModes } from '@gondola/lanes/modes/shadow-modes';
import { withArrays } from '@gondola/lanes/store/array-parameter';
import { Database, type NamedStatement, type Tx } from '@gondola/service-kit/database/database';
import { shadowTopic } from '@gondola/shared/topics/topics';
import { Inject, Injectable } from '@nestjs/common';
import type { NewNotification, NewQuarantined, ReceivedBody } from '../notifications/read-notification.ts';
import { In, IsNull, LessThan, Not, type FindOptionsWhere } from 'typeorm';
import { NotificationEntity, type NotificationState } from './notification.entity.ts';
import type { NotificationFilter } from './notification-filter.ts';
import { UserErasuresRepository } from './user-erasures.repository.ts';

type Value = string | Buffer | null;

/**
 * Column order of the insert; `received_at` is sent as milliseconds in text. The body is last: the driver copies it
 * if other values follow.
 */
const NOTIFICATION_COLUMNS = [
  'dedup_key',
  'tenant',
  'operation_id',
  'event_type',
  'related_entity',
  'topic',
  'partition_key',
  'subject',
  'traceparent',
  'received_at',
  'body',
];
const QUARANTINE_COLUMNS = ['dedup_key', 'tenant', 'reason', 'detail', 'traceparent', 'received_at', 'body'];

/**
 * Inserts of notifications and of quarantine entries. The statements never change, so each connection plans them
 * once.
 */
const INTO_NOTIFICATIONS = insertsInto('notifications', NOTIFICATION_COLUMNS, {
  reference: 'notification_id',
  entity: 'partition_key',
});
const INTO_QUARANTINE = insertsInto('quarantine', QUARANTINE_COLUMNS, {
  reference: 'quarantine_id',
  entity: 'dedup_key',
});

/** Condition of each state, written as its index is. */
const IN_STATE: Readonly<Record<NotificationState, FindOptionsWhere<NotificationEntity>>> = {
  waiting: { topic: Not(IsNull()), sentAt: IsNull(), parkedAt: IsNull() },
  sent: { sentAt: Not(IsNull()) },
  parked: { parkedAt: Not(IsNull()) },
  unpublished: { topic: IsNull() },
  untold: { topic: IsNull() },
};

/**
 * The inbox. The database enforces uniqueness: three deliveries may reach three replicas in one millisecond (rule
 * 2).
 */
@Injectable()
export class NotificationsRepository {
  constructor(
    private readonly database: Database,
    @Inject(UserErasuresRepository) private readonly userErasures: Pick<UserErasuresRepository, 'storeErased'>,
    @Inject(ShadowModes) private readonly modes: RecordModes = ALL_LIVE,
  ) {}

  /**
   * Stores notifications in one statement, in `tx` or committed when it returns. Returns them as they are stored, and
   * the id of each; null if its dedup key was stored before. User notifications are checked first: those of an erased
   * shopper are stored without content, and those that came in shadow for the twin of their topic.
   */
  async insert(
    given: readonly NewNotification[],
    tx?: Tx,
  ): Promise<Inserted & { readonly rows: readonly NewNotification[] }> {
    const users = given.filter(({ relatedEntity }) => relatedEntity === 'User');
    if (users.length === 0) return { rows: given, ...(await this.#insert(given, tx)) };
    await this.modes.ready(tx ?? this.database);
    const rows = given.map((row) => this.#addressed(row));
    const insert = (inside: Tx | undefined) => this.#insert(rows, inside);
    return { rows, ...(await this.userErasures.storeErased(users, 'notifications', insert, tx)) };
  }

  #addressed(row: NewNotification): NewNotification {
    const { topic, received } = row;
    const isInShadow = this.modes.of(received.tenant, received.receivedAt.getTime()) === 'shadow';
    return topic !== null && isInShadow ? { ...row, topic: shadowTopic(topic) } : row;
  }

  async #insert(rows: readonly NewNotification[], tx: Tx | undefined): Promise<Inserted> {
    return this.#insertAll(tx, INTO_NOTIFICATIONS, rows, (row) => [
      row.dedupKey,
      row.received.tenant,
      row.operationId,
      row.eventType,
      row.relatedEntity,
      row.topic,
      row.partitionKey,
      row.subject,
      row.received.traceparent,
      row.received.receivedAt.getTime().toString(),
      row.received.body,
    ]);
  }

  /** Stores bodies that are no notifications. Returns the id of each; null if it was stored before. */
  async quarantine(rows: readonly NewQuarantined[]): Promise<Inserted> {
    return this.userErasures.storeErased(rows, 'quarantine', (tx) => this.#quarantine(rows, tx));
  }

  async #quarantine(rows: readonly NewQuarantined[], tx: Tx): Promise<Inserted> {
    return this.#insertAll(tx, INTO_QUARANTINE, rows, ({ dedupKey, reason, detail, received }) => [
      dedupKey,
      received.tenant,
      reason,
      detail,
      received.traceparent,
      received.receivedAt.getTime().toString(),
      received.body,
    ]);
  }

  /** Notifications with an id below `before`, newest first. */
  async list(filter: NotificationFilter, before: string, limit: number): Promise<NotificationEntity[]> {
    const { tenant, operationId, eventType, relatedEntity, partitionKeys, state } = filter;
    return this.database.repository(NotificationEntity).find({
      where: {
        id: LessThan(before),
        ...(tenant !== undefined && { tenant }),
        ...(operationId !== undefined && { operationId }),
        ...(eventType !== undefined && { eventType }),
        ...(relatedEntity !== undefined && { relatedEntity }),
        ...(partitionKeys !== undefined && { partitionKey: In(partitionKeys) }),
        ...(state !== undefined && IN_STATE[state]),
      },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /** The notification with this id, or null. */
  async find(id: string): Promise<NotificationEntity | null> {
    return this.database.repository(NotificationEntity).findOneBy({ id });
  }

  /** The content as received; null if it is erased. */
  async bodyOf(id: string): Promise<Buffer | null> {
    const found = await this.database.repository(NotificationEntity).findOne({ select: { body: true }, where: { id } });
    return found?.body ?? null;
  }

  /** Throws if rows cannot be written now because the tables are missing or the server is read-only. */
  async probe(): Promise<void> {
    await this.database.query('UPDATE notifications SET sent_at = sent_at WHERE false');
  }

  /** Stores rows; those with headers to pass on also wait for their mirror from this statement on. */
  async #insertAll<R extends { readonly received: ReceivedBody }>(
    tx: Tx | undefined,
    inserts: Inserts,
    rows: readonly R[],
    valuesOf: (row: R) => readonly Value[],
  ): Promise<Inserted> {
    if (rows.length === 0) return { ids: [], version: '' };
    const isMirrored = rows.some(({ received }) => received.headers !== undefined);
    const { statement, columns } = isMirrored ? inserts.mirrored : inserts.plain;
    const values = isMirrored
      ? rows.map((row) => withHeaders(valuesOf(row), row.received.headers))
      : rows.map(valuesOf);
    const arrays = columns.map((column, index) => ({
      type: typeOf(column),
      values: values.map((row) => row[index] ?? null),
    }));
    const { rows: answers } = await withArrays(arrays, (parameters) =>
      tx === undefined
        ? this.database.query<Answer>(statement, parameters)
        : tx.query<Answer>({ ...statement, values: parameters }),
    );
    const { ids, version } = answers[0]!;
    return { ids: ids.split(',').map((id) => (id === '' ? null : Number(id))), version };
  }
}

/** `ids`: of the rows in their order, with commas between them. */
type Answer = { readonly ids: string; readonly version: string };

export interface Inserted {
  /** The id of each row, in their order; null if its dedup key was stored before. */
  readonly ids: readonly (number | null)[];
  /** PostgreSQL's `xmin` of the rows that were stored. */
  readonly version: string;
}

interface Insert {
  readonly statement: NamedStatement;
  readonly columns: readonly string[];
}

/** The values with the headers before the body. */
function withHeaders(values: readonly Value[], headers: readonly string[] | undefined): Value[] {
  return values.toSpliced(-1, 0, headers === undefined ? null : JSON.stringify(headers));
}

interface Inserts {
  readonly plain: Insert;
  /** For rows of which one or more have headers to pass on. */
  readonly mirrored: Insert;
}

/** Columns for the row that waits for a mirror: that of its reference, and the one that has its entity. */
interface MirrorColumns {
  readonly reference: string;
  readonly entity: string;
}

function insertsInto(table: string, columns: readonly string[], mirror: MirrorColumns): Inserts {
  return { plain: insertInto(table, columns), mirrored: insertInto(table, columns, mirror) };
}

/**
 * Ids are drawn in the order of arrival, because the relay publishes in that order. Rows are inserted in the order
 * of their keys, because replicas that insert the same keys in different orders would deadlock (rule 2). The
 * statement returns all ids as one text: the driver would take as long for a result row of each one as for its insert.
 */
function insertInto(table: string, stored: readonly string[], mirror?: MirrorColumns): Insert {
  const columns = mirror === undefined ? stored : stored.toSpliced(-1, 0, 'headers');
  const names = stored.join(', ');
  const arrays = columns.map((column, index) => `$${index + 1}::${typeOf(column)}[]`).join(', ');
  const given = columns.join(', ');
  const typed = stored
    .map((column) => (column === 'received_at' ? 'to_timestamp(received_at::float8 / 1000)' : column))
    .join(', ');
  const text = `WITH stored AS (
      INSERT INTO ${table} (id, ${names}) OVERRIDING SYSTEM VALUE
      SELECT * FROM (SELECT nextval('${table}_id_seq'), ${typed} FROM unnest(${arrays}) AS given (${given})) AS numbered
      ORDER BY dedup_key COLLATE "C"
      ON CONFLICT (dedup_key) DO NOTHING RETURNING dedup_key, id, xmin::text AS version
    )${mirror === undefined ? '' : mirrored(mirror, columns)}
    SELECT string_agg(coalesce(stored.id::text, ''), ',' ORDER BY given.place) AS ids, max(stored.version) AS version
    FROM unnest($1::text[]) WITH ORDINALITY AS given (dedup_key, place) LEFT JOIN stored USING (dedup_key)`;
  return { statement: { name: `insert-${mirror === undefined ? '' : 'mirrored-'}${table}`, text }, columns };
}

/** Stored rows only, so a repeat is not passed on; its ids follow the order of arrival, too. */
function mirrored({ reference, entity }: MirrorColumns, columns: readonly string[]): string {
  const read = [...new Set(['dedup_key', 'tenant', entity, 'headers', 'received_at'])];
  const arrays = read.map((column) => `$${columns.indexOf(column) + 1}::text[]`).join(', ');
  return `, mirrored AS (
      INSERT INTO mirror_deliveries (tenant, ${reference}, partition_key, headers, received_at)
      SELECT tenant, stored.id, ${entity}, headers::jsonb, to_timestamp(received_at::float8 / 1000)
      FROM unnest(${arrays}) AS given (${read.join(', ')}) JOIN stored USING (dedup_key)
      WHERE headers IS NOT NULL ORDER BY stored.id
    )`;
}

function typeOf(column: string): 'bytea' | 'text' {
  return column === 'body' ? 'bytea' : 'text';
}
