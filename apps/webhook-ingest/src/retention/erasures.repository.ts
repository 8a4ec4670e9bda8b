import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { partitionKey, subjectOf } from '@gondola/shared/topics/identities';
import { LessThan } from 'typeorm';
import { ErasureEntity } from './erasure.entity.ts';
import { IS_WAITING } from '../inbox/notification.entity.ts';
import { QuarantineEntryEntity } from '../quarantine/quarantine-entry.entity.ts';

/** Number of bodies erased in one round, by tenant. */
export interface ErasedCount {
  readonly tenant: string;
  readonly notifications: number;
  readonly quarantined: number;
}

/** Note of an open entry that is discarded because its body is erased. */
const NOTE = 'Erased at the request for its order';

/**
 * Erasures by order number. A row records the request and stays: all content about the order, received before or
 * after it, is erased as soon as possible, that is at once, after it is published, or after the spool that holds it
 * is imported. Tested in erasures.int.spec.ts.
 */
@Injectable()
export class ErasuresRepository {
  constructor(private readonly database: Database) {}

  async add(tenant: string, orderNumber: string, at: Date): Promise<string> {
    const key = partitionKey(tenant, 'order', orderNumber);
    const subject = subjectOf({ kind: 'order', identity: orderNumber });
    const erasure = { tenant, orderNumber, partitionKey: key, subject, at };
    const { identifiers } = await this.database.repository(ErasureEntity).insert(erasure);
    return (identifiers[0] as { id: string }).id;
  }

  async find(id: string): Promise<ErasureEntity | null> {
    return this.database.repository(ErasureEntity).findOneBy({ id });
  }

  /** Erasures with an id below `before`, newest first. */
  async list(tenant: string | undefined, before: string, limit: number): Promise<ErasureEntity[]> {
    return this.database.repository(ErasureEntity).find({
      where: { id: LessThan(before), ...(tenant !== undefined && { tenant }) },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /**
   * Erases up to `limit` bodies that can be erased now, and counts them in their requests. Empty: there were none.
   */
  async apply(limit: number): Promise<readonly ErasedCount[]> {
    return this.#alone(async (tx) => {
      const { rows } = await tx.query<ErasedCount>(
        `WITH due AS (
         SELECT DISTINCT ON (n.id) n.id, e.id AS erasure FROM erasures AS e
         JOIN notifications AS n ON n.partition_key = e.partition_key
         WHERE n.body IS NOT NULL AND NOT (${IS_WAITING}) ORDER BY n.id, e.id LIMIT $1
       ), due_quarantined AS (
         SELECT DISTINCT ON (q.id) q.id, e.id AS erasure FROM erasures AS e
         JOIN quarantine AS q ON q.tenant = e.tenant AND q.subject = e.subject
         WHERE q.body IS NOT NULL ORDER BY q.id, e.id LIMIT $1
       ), erased AS (
         UPDATE notifications AS n SET body = NULL, erased_bytes = length(n.body), erased_at = now()
         FROM due WHERE n.id = due.id AND n.body IS NOT NULL RETURNING due.erasure
       ), erased_quarantined AS (
         UPDATE quarantine AS q SET body = NULL, erased_bytes = length(q.body), erased_at = now(),
           settled_at = CASE WHEN q.state = 'open' THEN now() ELSE q.settled_at END,
           note = CASE WHEN q.state = 'open' THEN $2 ELSE q.note END,
           state = CASE WHEN q.state = 'open' THEN 'discarded' ELSE q.state END
         FROM due_quarantined AS due WHERE q.id = due.id AND q.body IS NOT NULL RETURNING due.erasure
       ), counted AS (
         SELECT erasure, sum(notifications)::int AS notifications, sum(quarantined)::int AS quarantined FROM (
           SELECT erasure, 1 AS notifications, 0 AS quarantined FROM erased
           UNION ALL SELECT erasure, 0, 1 FROM erased_quarantined
         ) AS each GROUP BY erasure
       )
       UPDATE erasures AS e SET notifications = e.notifications + c.notifications, quarantined = e.quarantined + c.quarantined
       FROM counted AS c WHERE e.id = c.erasure RETURNING e.tenant, c.notifications, c.quarantined`,
        [limit, NOTE],
      );
      return rows;
    });
  }

  /**
   * Deletes requests of before `before` whose order has no notification any more: one that is in use stays, so that
   * what arrives of the order is erased.
   */
  async deleteOld(tenant: string, before: Date, limit: number): Promise<number> {
    return this.#alone(async (tx) => {
      const { rowCount } = await tx.query(
        `DELETE FROM erasures WHERE id IN (
           SELECT id FROM erasures AS e WHERE tenant = $1 AND requested_at < $2
             AND NOT EXISTS (SELECT 1 FROM notifications AS n WHERE n.partition_key = e.partition_key)
           ORDER BY id LIMIT $3)`,
        [tenant, before, limit],
      );
      return rowCount ?? 0;
    });
  }

  /** Quarantine entries that were not searched for an order yet, oldest first. */
  async unreadQuarantined(
    limit: number,
  ): Promise<ReadonlyArray<{ readonly id: string; readonly body: Buffer | null }>> {
    return this.database.repository(QuarantineEntryEntity).find({
      select: { id: true, body: true },
      where: { subjectRead: false },
      order: { id: 'ASC' },
      take: limit,
    });
  }

  /** Stores the order found in each entry; null for none. */
  async noteSubjects(found: ReadonlyArray<{ readonly id: string; readonly subject: string | null }>): Promise<void> {
    await this.#alone((tx) =>
      tx.query(
        `UPDATE quarantine AS q SET subject = found.subject, subject_read = true
       FROM unnest($1::bigint[], $2::text[]) AS found (id, subject) WHERE q.id = found.id`,
        [found.map(({ id }) => id), found.map(({ subject }) => subject)],
      ),
    );
  }

  /** Allows one replica at a time: two that erase the same rows in different orders would deadlock. */
  async #alone<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended(current_schema || '.erasures', 0))`);
      return work(tx);
    });
  }
}
