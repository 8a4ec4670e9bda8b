import { Database, type Tx } from '@gondola/service-kit/database/database';
import { currentOperator } from '@gondola/service-kit/logging/operator';
import type { BulkFilter } from '@gondola/lanes/jobs/bulk-target';
import { Injectable } from '@nestjs/common';
import { classifyDatabaseError } from '@gondola/service-kit/database/database-errors';
import { And, LessThan, MoreThan, MoreThanOrEqual } from 'typeorm';
import type { Notification, QuarantineReason } from '../notifications/read-notification.ts';
import type { QuarantineQuery } from './quarantine.dto.ts';
import { QuarantineEntryEntity } from './quarantine-entry.entity.ts';
import { NotificationsRepository } from '../inbox/notifications.repository.ts';

type Filter = Pick<QuarantineQuery, 'tenant' | 'reason' | 'state'>;

/** Deliveries that were not understood, and their settlement. Tested in quarantine.int.spec.ts. */
@Injectable()
export class QuarantineRepository {
  constructor(
    private readonly database: Database,
    private readonly notifications: NotificationsRepository,
  ) {}

  /** Entries with an id below `before`, newest first. */
  async list({ tenant, reason, state }: Filter, before: string, limit: number): Promise<QuarantineEntryEntity[]> {
    return this.database.repository(QuarantineEntryEntity).find({
      where: {
        id: LessThan(before),
        ...(tenant !== undefined && { tenant }),
        ...(reason !== undefined && { reason }),
        ...(state !== undefined && { state }),
      },
      order: { id: 'DESC' },
      take: limit,
    });
  }

  /** Ids above `after` of open entries, oldest first; none of a topic, because the quarantine has none. */
  async openIds({ tenant, reason, topic, from, to }: BulkFilter, after: string, limit: number): Promise<string[]> {
    if (topic !== undefined) return [];
    const found = await this.database.repository(QuarantineEntryEntity).find({
      select: { id: true },
      where: {
        id: MoreThan(after),
        state: 'open',
        ...(tenant !== undefined && { tenant }),
        ...(reason !== undefined && { reason: reason as QuarantineReason }),
        ...((from !== undefined || to !== undefined) && { receivedAt: timeWithin(from, to) }),
      },
      order: { id: 'ASC' },
      take: limit,
    });
    return found.map(({ id }) => id);
  }

  /** Number of open entries by tenant and reason. */
  async countOpen(): Promise<{ tenant: string; reason: string; count: number }[]> {
    return this.database
      .repository(QuarantineEntryEntity)
      .createQueryBuilder('entry')
      .select('entry.tenant', 'tenant')
      .addSelect('entry.reason', 'reason')
      .addSelect('count(*)::float8', 'count')
      .where({ state: 'open' })
      .groupBy('entry.tenant')
      .addGroupBy('entry.reason')
      .getRawMany();
  }

  /** The entry with this id, or null. */
  async find(id: string): Promise<QuarantineEntryEntity | null> {
    return this.database.repository(QuarantineEntryEntity).findOneBy({ id });
  }

  /** The content as received; null if it is erased. */
  async bodyOf(id: string): Promise<Buffer | null> {
    const repository = this.database.repository(QuarantineEntryEntity);
    return (await repository.findOne({ select: { body: true }, where: { id } }))?.body ?? null;
  }

  /**
   * Runs a decision about one entry, with its content, while the entry is locked. Null if there is no such entry.
   */
  async decide<Result>(
    id: string,
    work: (tx: Tx, entry: QuarantineEntryEntity) => Promise<Result>,
  ): Promise<Result | null> {
    return this.database.transaction(async (tx) => {
      const entry = await this.database
        .repository(QuarantineEntryEntity, tx)
        .createQueryBuilder('entry')
        .addSelect(['entry.body', 'entry.traceparent'])
        .where({ id })
        .setLock('pessimistic_write')
        .getOne();
      return entry === null ? null : work(tx, entry);
    });
  }

  /**
   * Stores an entry in the inbox as it was received; false if the notification is stored already. After an error
   * the transaction continues as if nothing had been tried.
   */
  async store(tx: Tx, entry: QuarantineEntryEntity, body: Buffer, notification: Notification): Promise<boolean> {
    const { tenant, traceparent, receivedAt } = entry;
    await tx.query('SAVEPOINT storing');
    try {
      const row = { ...notification, received: { tenant, traceparent, receivedAt, body } };
      return (await this.notifications.insert([row], tx)).ids[0] !== null;
    } catch (error) {
      if (classifyDatabaseError(error) !== 'transient') await tx.query('ROLLBACK TO SAVEPOINT storing');
      throw error;
    }
  }

  async settle(tx: Tx, id: string, state: 'reprocessed' | 'discarded', note: string | null): Promise<void> {
    const settled = { state, settledAt: () => 'now()', note, actedBy: currentOperator() };
    await this.database.repository(QuarantineEntryEntity, tx).update({ id }, settled);
  }

  /** Stores the reason why today's rules still read no notification. */
  async keepOpen(tx: Tx, id: string, reason: QuarantineReason, detail: string): Promise<void> {
    await this.database.repository(QuarantineEntryEntity, tx).update({ id }, { reason, detail });
  }
}

function timeWithin(from: string | undefined, to: string | undefined) {
  return And(
    ...(from === undefined ? [] : [MoreThanOrEqual(new Date(from))]),
    ...(to === undefined ? [] : [LessThan(new Date(to))]),
  );
}
