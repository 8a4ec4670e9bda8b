import { Inject, Injectable } from '@nestjs/common';

import { Database, type Tx } from '@gondola/service-kit/database/database';
import { UnsweptRows } from '@gondola/service-kit/run/unswept-rows';
import { currentOperator } from '@gondola/service-kit/logging/operator';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { tenantOf } from '@gondola/shared/topics/tenant-of';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';

import {
  deadLetterId,
  deadLetterRecord,
  type NewDeadLetter,
  redriveOf,
  redriveRecord,
  storableText,
  type TracedDeadLetter,
} from '@gondola/kafka/records/dead-letter-record';
import type { DeadLetterSummary } from './dead-letters.dto.ts';
import {
  CONTENTS,
  DISCARD,
  ERASE_LETTERS,
  FAIL_AGAIN,
  FIND,
  INSERT,
  listOf,
  LOCK,
  LOCK_FOR_ERASURE,
  MARK_REDRIVEN,
  OF_ORDER,
  OLDEST_LETTER,
} from './dead-letters.sql.ts';
import { OrderErasuresRepository } from '../erased-orders/order-erasures.repository.ts';
import { ordersNamedBy } from '../erased-orders/orders-named-by.ts';
import { MessagingMetrics } from '@gondola/kafka/metrics/messaging-metrics';
import { MESSAGING_OPTIONS, type MessagingOptions } from '@gondola/kafka/client/messaging-options';
import { OutboxRelay } from '../outbox/outbox-relay.ts';
import { Outbox } from '../outbox/outbox.ts';
import { HEADER, headersFromText, headersToText, type RawHeaders } from '@gondola/kafka/records/record-codec';
import { RepeatingTask, SWEEP_MS } from '@gondola/service-kit/run/repeating-task';
import { deleteInSteps } from '../store/delete-in-steps.ts';
import type { Alongside } from '../jobs/bulk-target.ts';
import { conditionOf, type LetterFilter } from './letter-filter.ts';
import { traceparentOf } from '@gondola/kafka/tracing/record-spans';

export interface DeadLetter extends DeadLetterSummary {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: RawHeaders;
}

export interface DeadLetterQuery extends LetterFilter {
  /** Returns only letters older than the one with this id. */
  readonly before?: string;
  readonly limit: number;
}

const RETENTION_MS = 30 * 86_400_000;
/** One letter may have megabytes. */
const READ_AT_ONCE = 20;
/** A value of an unexpected form may contain any numbers; more than this are not stored. */
const MAX_NUMBERS = 1_000;

/** The letter cannot be redriven: it is an unreadable batch, or its content is erased. */
export class NotRedrivableError extends Error {
  readonly code = 'NOT_REDRIVABLE';
  constructor(id: string, why: 'unreadable' | 'erased') {
    super(
      why === 'erased'
        ? `O conteúdo da dead letter ${id} foi apagado com o seu pedido. / The content of dead letter ${id} was erased with its order.`
        : `A dead letter ${id} é um lote que o Kafka entregou e que não pôde ser lido: peça ao produtor que envie os registros de novo. / ` +
            `Dead letter ${id} is a batch that could not be read: its producer has to send the records again.`,
    );
    this.name = 'NotRedrivableError';
  }
}

/**
 * Records that an app could not handle: stored for 30 days in its schema, published on `dead-letters.v1`, redriven
 * when an operator requests it.
 *
 * Guarantees: the table and the topic receive each letter byte for byte, in the transaction that moves past the
 * record; a record that is consumed again adds no second letter, and a redriven record that fails again is counted by
 * its letter. A letter about an erased order is stored without its content, whether the letter or the erasure came
 * first. Tested in dead-letters.int.spec.ts, erasures.int.spec.ts.
 */
@Injectable()
export class DeadLetters {
  constructor(
    @Inject(MESSAGING_OPTIONS)
    private readonly options: Pick<MessagingOptions, 'app' | 'group' | 'topicPrefix' | 'tenants'>,
    private readonly database: Database,
    private readonly outbox: Outbox,
    @Inject(OrderErasuresRepository) private readonly erasures: Pick<OrderErasuresRepository, 'isAnyErased'>,
    @Inject(OutboxRelay) private readonly relay: Pick<OutboxRelay, 'wake'>,
    private readonly metrics: MessagingMetrics,
    private readonly randomness: Randomness,
  ) {}

  /** Stores letters and puts their records into the outbox in `tx`. Lanes must be locked before. */
  async add(tx: Tx, letters: readonly NewDeadLetter[]): Promise<void> {
    if (letters.length === 0) return;
    await tx.query(LOCK_FOR_ERASURE, [false]);
    const time = new Date().toISOString();
    const added: TracedDeadLetter[] = [];
    for (const letter of letters.map((each) => this.#withOrigin(each))) {
      if (await this.#insert(tx, letter)) added.push(letter);
    }
    await this.outbox.appendWire(
      tx,
      added.map((letter) => deadLetterRecord(letter, this.options, time)),
    );
  }

  /** Newest first. */
  async list({ before, limit, ...filter }: DeadLetterQuery): Promise<DeadLetterSummary[]> {
    const values: unknown[] = [limit];
    const older = '(dead_at, id) < (SELECT dead_at, id FROM dead_letters WHERE id =';
    const page = before === undefined ? '' : ` AND ${older} $${values.push(before)})`;
    const text = `${listOf(`${conditionOf(filter, values)}${page}`)} LIMIT $1`;
    const { rows } = await this.database.query<DeadLetterSummary>(text, values);
    return rows;
  }

  /** Null if there is no letter with this id. */
  async find(id: string): Promise<DeadLetter | null> {
    const { rows } = await this.database.query<StoredLetter>(FIND, [id]);
    return rows[0] === undefined ? null : fromRow(rows[0]);
  }

  /**
   * Publishes the original record to its topic again, for this app's group alone. Returns the number of redrives;
   * null if there is no such letter, or with `alongside` no open one. Throws a `NotRedrivableError` for an unreadable
   * batch or erased content.
   */
  async redrive(id: string, alongside?: Alongside): Promise<number | null> {
    const letter = await this.database.transaction(async (tx) => {
      const found = await lock(tx, id, alongside !== undefined);
      if (found === null) return null;
      if (found.code === 'BATCH_UNREADABLE') throw new NotRedrivableError(id, 'unreadable');
      if (found.contentErasedAt !== null) throw new NotRedrivableError(id, 'erased');
      await this.outbox.appendWire(tx, [redriveRecord(found)], found.tenant ?? undefined);
      await tx.query(MARK_REDRIVEN, [id, currentOperator()]);
      await alongside?.(tx, true);
      return found;
    });
    if (letter === null) return null;
    this.relay.wake();
    this.metrics.redriven(letter.topic);
    return letter.redriven + 1;
  }

  /**
   * Marks a letter as of no use; its content is stored as long as any other. The note of the first time stays. False
   * if there is no such letter, or with `alongside` no open one.
   */
  async discard(id: string, note: string, alongside?: Alongside): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      if ((await lock(tx, id, alongside !== undefined)) === null) return false;
      await tx.query(DISCARD, [id, note, currentOperator()]);
      await alongside?.(tx, true);
      return true;
    });
  }

  /**
   * Erases the content of letters about an order, including letters without a tenant, and returns their number.
   * Runs in the transaction that records the erasure, after its lanes are locked; a letter that is added later
   * finds that record.
   */
  async erase(tx: Tx, tenant: string, orderNumber: string): Promise<number> {
    await tx.query(LOCK_FOR_ERASURE, [true]);
    const { rows: named } = await tx.query<{ id: string }>(OF_ORDER, [tenant, orderNumber]);
    const ids = named.map(({ id }) => id);
    for (let after = ''; ;) {
      const { rows } = await tx.query<StoredContent>(CONTENTS, [tenant, after, READ_AT_ONCE]);
      ids.push(...rows.filter((letter) => ordersNamedBy(letter).has(orderNumber)).map(({ id }) => id));
      if (rows.length < READ_AT_ONCE) break;
      after = rows.at(-1)!.id;
    }
    return (await tx.query(ERASE_LETTERS, [ids])).rowCount ?? 0;
  }

  /** Deletes letters that failed last 30 days ago. */
  async deleteOld(): Promise<void> {
    const old = "now() - $1 * interval '1 millisecond'";
    await deleteInSteps(this.database, 'dead_letters', `dead_at < ${old} AND last_failed_at < ${old}`, [RETENTION_MS]);
  }

  /**
   * Takes the tenant from the record's header if the letter has none: even a record that cannot be decoded has
   * headers (contract, "Dead letters").
   */
  #withOrigin(letter: NewDeadLetter): TracedDeadLetter {
    const { tenants } = this.options;
    const { record } = letter;
    const byHeader = tenantOf({ header: record.header(HEADER.tenant), field: undefined, known: tenants });
    const tenant = letter.tenant ?? (byHeader.ok ? byHeader.tenant : undefined);
    const traceparent = traceparentOf(record, this.randomness.bytes);
    return { ...letter, traceparent, ...(tenant !== undefined && { tenant }) };
  }

  /** False if the letter is already stored, or if the record is the redrive of one. */
  async #insert(tx: Tx, { record, code, reason, tenant }: NewDeadLetter): Promise<boolean> {
    const again = redriveOf(record, this.options.group);
    if (again !== null) {
      const { topic, key, value } = record;
      const failure = [again.redrive, code, storableText(reason)];
      const counted = await tx.query(FAIL_AGAIN, [again.id, key, value, ...failure, topic]);
      if (counted.rowCount === 1) return false;
    }
    const named = [...ordersNamedBy(record)];
    const numbers = named.slice(0, MAX_NUMBERS);
    const isErased = code !== 'BATCH_UNREADABLE' && (await this.erasures.isAnyErased(tx, tenant, numbers));
    const storedNumbers = named.length > MAX_NUMBERS ? null : named;
    const { rowCount } = await tx.query(INSERT, [
      deadLetterId(this.options, record),
      this.options.group,
      record.topic,
      record.partition,
      record.offset,
      isErased ? null : record.key,
      isErased ? null : record.value,
      headersToText(isErased ? [] : record.headers),
      tenant ?? null,
      code,
      storableText(reason),
      isErased,
      isErased ? [] : storedNumbers,
    ]);
    return rowCount === 1;
  }
}

type StoredContent = Pick<DeadLetter, 'id' | 'key' | 'value'>;

interface StoredLetter extends Omit<DeadLetter, 'headers'> {
  readonly headers: string;
}

/** Locks a letter; null if there is none, or if it is not open although it must be. */
async function lock(tx: Tx, id: string, isOnlyOpen: boolean): Promise<DeadLetter | null> {
  const { rows } = await tx.query<StoredLetter>(LOCK, [id]);
  return rows[0] === undefined || (isOnlyOpen && rows[0].state !== 'open') ? null : fromRow(rows[0]);
}

function fromRow(row: StoredLetter): DeadLetter {
  return { ...row, headers: headersFromText(row.headers) };
}

/** Deletes old dead letters every hour. */
@Injectable()
export class DeadLetterSweep extends RepeatingTask {
  constructor(deadLetters: DeadLetters, unswept: UnsweptRows, @Inject(LOGGER) logger: Logger) {
    super({ name: 'dead letter sweep', everyMs: SWEEP_MS, run: () => deadLetters.deleteOld(), logger });
    unswept.watch('dead_letters', OLDEST_LETTER, [RETENTION_MS]);
  }
}
