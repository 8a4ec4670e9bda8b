import { arrayParameter, ReusedPlace } from '@gondola/messaging/store/array-parameter';
import { Database, type NamedStatement, type Tx } from '@gondola/service-kit/database/database';
import { Inject, Injectable } from '@nestjs/common';
import type { ReceivedBody } from '../notifications/incoming.ts';
import type { Notification, Quarantined } from '../notifications/read-notification.ts';
import { UserErasuresRepository } from '../retention/user-erasures.repository.ts';

export interface NewNotification extends Notification {
  readonly received: ReceivedBody;
}

export interface NewQuarantined extends Quarantined {
  readonly received: ReceivedBody;
}

type Value = string | Buffer | null;

/**
 * Column order of the insert; `received_at` travels as milliseconds in text. The body is last: what the driver writes
 * behind it costs a copy of it.
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
 * Notifications, or what is none, as they are inserted: a statement that never changes, which each connection plans
 * once.
 */
const INTO_NOTIFICATIONS = insertInto('notifications', NOTIFICATION_COLUMNS);
const INTO_QUARANTINE = insertInto('quarantine', QUARANTINE_COLUMNS);

/** The inbox. Uniqueness is the database's: three deliveries may meet three replicas in one millisecond (rule 2). */
@Injectable()
export class NotificationsRepository {
  /** Buffers of the values, one for each column; as many sets as there were statements under way at once. */
  readonly #places: ReusedPlace[][] = [];

  constructor(
    private readonly database: Database,
    @Inject(UserErasuresRepository) private readonly userErasures: Pick<UserErasuresRepository, 'storeErased'>,
  ) {}

  /**
   * Stores notifications in one statement, in `tx` or committed when it returns: the dedup keys of those that were
   * there already. A User's are looked at first: those of an erased shopper are stored without content.
   */
  async insert(rows: readonly NewNotification[], tx?: Tx): Promise<ReadonlySet<string>> {
    const users = rows.filter(({ relatedEntity }) => relatedEntity === 'User');
    if (users.length === 0) return this.#insert(rows, tx);
    return this.userErasures.storeErased(users, 'notifications', (inside) => this.#insert(rows, inside), tx);
  }

  async #insert(rows: readonly NewNotification[], tx: Tx | undefined): Promise<ReadonlySet<string>> {
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

  /** Stores what is no notification, as `insert` does. */
  async quarantine(rows: readonly NewQuarantined[]): Promise<ReadonlySet<string>> {
    return this.userErasures.storeErased(rows, 'quarantine', (tx) => this.#quarantine(rows, tx));
  }

  async #quarantine(rows: readonly NewQuarantined[], tx: Tx): Promise<ReadonlySet<string>> {
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

  /**
   * Throws if rows cannot be written now: the tables are missing, or the server takes no writes.
   */
  async probe(): Promise<void> {
    await this.database.query('UPDATE notifications SET sent_at = sent_at WHERE false');
  }

  async #insertAll<R>(
    tx: Tx | undefined,
    { statement, columns }: Insert,
    rows: readonly R[],
    valuesOf: (row: R) => readonly Value[],
  ): Promise<ReadonlySet<string>> {
    if (rows.length === 0) return new Set();
    const values = rows.map(valuesOf);
    const places = this.#places.pop() ?? NOTIFICATION_COLUMNS.map(() => new ReusedPlace());
    const arrays = columns.map((column, index) =>
      arrayParameter(
        typeOf(column),
        values.map((row) => row[index] ?? null),
        places[index]!,
      ),
    );
    const { rows: repeated } = await (tx === undefined
      ? this.database.query<Repeated>(statement, arrays)
      : tx.query<Repeated>({ ...statement, values: arrays }));
    // What has failed may still be in the driver's hands.
    this.#places.push(places);
    return new Set(repeated.map(({ dedup_key: key }) => key));
  }
}

interface Repeated {
  readonly dedup_key: string;
}

interface Insert {
  readonly statement: NamedStatement;
  readonly columns: readonly string[];
}

/**
 * Ids are drawn in the order of arrival, since the relay publishes in that order; the rows are inserted in the order of
 * their keys, since replicas that insert the same keys in different orders would deadlock (rule 2). The answer names
 * what was there already: most often nothing, where a row for each new one would take the driver as long as sending it
 * did.
 */
function insertInto(table: string, columns: readonly string[]): Insert {
  const names = columns.join(', ');
  const arrays = columns.map((column, index) => `$${index + 1}::${typeOf(column)}[]`).join(', ');
  const typed = columns
    .map((column) => (column === 'received_at' ? 'to_timestamp(received_at::float8 / 1000)' : column))
    .join(', ');
  const text = `WITH stored AS (
      INSERT INTO ${table} (id, ${names}) OVERRIDING SYSTEM VALUE
      SELECT * FROM (SELECT nextval('${table}_id_seq'), ${typed} FROM unnest(${arrays}) AS given (${names})) AS numbered
      ORDER BY dedup_key COLLATE "C"
      ON CONFLICT (dedup_key) DO NOTHING RETURNING dedup_key
    )
    SELECT dedup_key FROM unnest($1::text[]) AS given (dedup_key) EXCEPT SELECT dedup_key FROM stored`;
  return { statement: { name: `insert-${table}`, text }, columns };
}

function typeOf(column: string): 'bytea' | 'text' {
  return column === 'body' ? 'bytea' : 'text';
}
