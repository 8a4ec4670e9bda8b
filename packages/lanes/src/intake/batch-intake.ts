import { Inject, Injectable } from '@nestjs/common';

import { Database, type Tx } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { Randomness } from '@gondola/service-kit/run/randomness';
import type { Language, ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import { sentenceFor, type Sentences, sentencesOf } from '@gondola/shared/results/unreadable-reason';

import { type NewDeadLetter, originalHeaders } from '@gondola/kafka/records/dead-letter-record';
import { DeadLetters } from '../dead-letters/dead-letters.ts';
import { dispositionOf, failureReason } from '@gondola/kafka/server/disposition';
import { MessagingMetrics } from '@gondola/kafka/metrics/messaging-metrics';
import { HEADER, type InRecord } from '@gondola/kafka/records/record-codec';
import type { RecordBatch } from '@gondola/kafka/server/topic-handler';
import { maxValueBytes } from '@gondola/kafka/topics/topic-sizes';
import { traceparentOf } from '@gondola/kafka/tracing/record-spans';

/** A decoded record: an item to insert, a dead letter, or a record to skip. */
export type Decoded<T> =
  | { readonly kind: 'item'; readonly item: T; readonly tenant?: string }
  | { readonly kind: 'dead-letter'; readonly code: ReasonCode; readonly reason: Sentences; readonly tenant?: string }
  /** `why` is one of a few fixed words of the app: it is a metric label. */
  | { readonly kind: 'skip'; readonly why: string };

/** Legitimate records have about fifteen. */
const MAX_HEADERS = 100;

interface Candidate<T> {
  readonly record: InRecord;
  readonly item: T;
  readonly tenant?: string;
}

/** A dead letter whose reason is still in every language. */
type UnsaidLetter = Omit<NewDeadLetter, 'reason'> & { readonly reason: Sentences };

/** A batch after decoding. */
interface Sorted<T> {
  readonly candidates: readonly Candidate<T>[];
  readonly letters: readonly UnsaidLetter[];
  readonly skipped: readonly string[];
}

/**
 * Mechanism 1: a batch of one partition becomes rows in one transaction.
 *
 *   decode each ──▶ one transaction: insert all, dead-letter what is not understood ──▶ done
 *                        │ a record is the cause (data error, bug)
 *                        ▼
 *                   one transaction: each record in a savepoint, the culprits dead-lettered ──▶ done
 *
 * Guarantees: when `store` resolves, each record of the batch is inserted, dead-lettered or skipped, and this is
 * committed; a record that cannot be handled stops neither its batch nor its partition. Any other failure is
 * thrown, with nothing committed, and `dispositionOf` decides how to go on. Tested in batch-intake.int.spec.ts.
 */
@Injectable()
export class BatchIntake {
  readonly #languages: ReadonlyMap<string, Language>;

  constructor(
    private readonly database: Database,
    private readonly deadLetters: DeadLetters,
    private readonly metrics: MessagingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly randomness: Randomness,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'language'>>,
  ) {
    this.#languages = new Map(tenants.map(({ id, language }) => [id, language]));
  }

  /**
   * Stores a batch. `decode` is pure; with each record it receives the `traceparent` for everything that follows
   * from the record. `insert` receives the items in the order of their records and does nothing outside `tx`. After
   * a failure it is called again, with one item at a time. It relies on no deferred constraint, because a failure
   * at COMMIT cannot be attributed to a record.
   */
  async store<T>(
    batch: RecordBatch,
    decode: (record: InRecord, traceparent: string) => Decoded<T>,
    insert: (tx: Tx, items: T[]) => Promise<void>,
  ): Promise<void> {
    const sorted = sortRecords(batch, (record) => decode(record, traceparentOf(record, this.randomness.bytes)));
    const letters = await this.#insertTogether(sorted, insert).catch((error: unknown) => {
      if (dispositionOf(error) !== 'isolate') throw error;
      return this.#insertOneByOne(sorted, insert);
    });
    this.#report(batch, sorted, letters);
  }

  async #insertTogether<T>(
    { candidates, letters }: Sorted<T>,
    insert: (tx: Tx, items: T[]) => Promise<void>,
  ): Promise<readonly NewDeadLetter[]> {
    if (candidates.length === 0 && letters.length === 0) return [];
    const said = letters.map((letter) => this.#said(letter));
    await this.database.transaction(async (tx) => {
      if (candidates.length > 0)
        await insert(
          tx,
          candidates.map(({ item }) => item),
        );
      await this.deadLetters.add(tx, said);
    });
    return said;
  }

  async #insertOneByOne<T>(
    { candidates, letters }: Sorted<T>,
    insert: (tx: Tx, items: T[]) => Promise<void>,
  ): Promise<readonly NewDeadLetter[]> {
    return this.database.transaction(async (tx) => {
      const culprits: UnsaidLetter[] = [];
      for (const candidate of candidates) {
        const culprit = await insertAlone(tx, candidate, insert);
        if (culprit !== null) culprits.push(culprit);
      }
      const all = [...letters, ...culprits].map((letter) => this.#said(letter));
      await this.deadLetters.add(tx, all);
      return all;
    });
  }

  /** Renders the reason in the tenant's language if the tenant is known, else in all languages. */
  #said({ reason, ...letter }: UnsaidLetter): NewDeadLetter {
    const [only] = this.#languages.size === 1 ? this.#languages.keys() : [];
    const language = this.#languages.get(letter.tenant ?? letter.record.header(HEADER.tenant) ?? only ?? '');
    return { ...letter, reason: sentenceFor(reason, language) };
  }

  #report<T>({ topic, partition }: RecordBatch, { skipped }: Sorted<T>, letters: readonly NewDeadLetter[]): void {
    for (const why of skipped) this.metrics.skipped(topic, why, 1);
    for (const { record, code, reason } of letters) {
      this.metrics.deadLettered(topic, code);
      this.logger.warn(
        { topic, partition, offset: record.offset, reasonCode: code, reason },
        'A record became a dead letter',
      );
    }
  }
}

function sortRecords<T>({ topic, records }: RecordBatch, decode: (record: InRecord) => Decoded<T>): Sorted<T> {
  const candidates: Candidate<T>[] = [];
  const letters: UnsaidLetter[] = [];
  const skipped: string[] = [];
  for (const record of records) {
    const decoded = refusalOf(record, maxValueBytes(topic)) ?? decodeSafely(record, decode);
    if (decoded.kind === 'item') candidates.push({ record, item: decoded.item, ...tenantOf(decoded) });
    else if (decoded.kind === 'skip') skipped.push(decoded.why);
    else letters.push({ record, code: decoded.code, reason: decoded.reason, ...tenantOf(decoded) });
  }
  return { candidates, letters, skipped };
}

/** Dead-letters a record that no app may decode; null for any other record. */
function refusalOf({ unreadable, headers, value }: InRecord, maxBytes: number): Decoded<never> | null {
  if (unreadable !== undefined) return deadLetter('BATCH_UNREADABLE', unreadable);
  const original = originalHeaders(headers).length;
  if (original > MAX_HEADERS) {
    return deadLetter('RECORD_TOO_LARGE', {
      'pt-BR': `${original} cabeçalhos; o máximo é ${MAX_HEADERS}`,
      en: `${original} headers; ${MAX_HEADERS} are the most`,
    });
  }
  if ((value?.length ?? 0) > maxBytes) {
    return deadLetter('RECORD_TOO_LARGE', {
      'pt-BR': `${value?.length} bytes de valor; o máximo é ${maxBytes}`,
      en: `${value?.length} bytes of value; ${maxBytes} are the most`,
    });
  }
  return null;
}

function deadLetter(code: ReasonCode, what: string | Sentences): Decoded<never> {
  return { kind: 'dead-letter', code, reason: sentencesOf(code, what) };
}

/** If the decoder throws, that is a bug which this record exposed; the record becomes a dead letter. */
function decodeSafely<T>(record: InRecord, decode: (record: InRecord) => Decoded<T>): Decoded<T> {
  try {
    return decode(record);
  } catch (error) {
    return { kind: 'dead-letter', code: 'PROCESSING_FAILED', reason: failureReason(error) };
  }
}

/** Inserts one item; returns a dead letter if that fails, else null. */
async function insertAlone<T>(
  tx: Tx,
  candidate: Candidate<T>,
  insert: (tx: Tx, items: T[]) => Promise<void>,
): Promise<UnsaidLetter | null> {
  await tx.query('SAVEPOINT record');
  try {
    await insert(tx, [candidate.item]);
  } catch (error) {
    if (dispositionOf(error) !== 'isolate') throw error;
    await tx.query('ROLLBACK TO SAVEPOINT record');
    return {
      record: candidate.record,
      code: 'PROCESSING_FAILED',
      reason: failureReason(error),
      ...tenantOf(candidate),
    };
  }
  await tx.query('RELEASE SAVEPOINT record');
  return null;
}

function tenantOf({ tenant }: { readonly tenant?: string }): { tenant?: string } {
  return tenant === undefined ? {} : { tenant };
}
