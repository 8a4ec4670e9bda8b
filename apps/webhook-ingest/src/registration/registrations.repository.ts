import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { IsNull, Not, Raw } from 'typeorm';
import type { RegistrationOutcome } from './registration-outcome.ts';
import { NotificationEntity } from '../inbox/notification.entity.ts';
import { RegistrationAttemptEntity } from './registration-attempt.entity.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * All attempts to register a webhook. The platform never shows the registered webhook, so this is the only record.
 * Tested in webhook-registration.int.spec.ts.
 */
@Injectable()
export class RegistrationsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores a new attempt. Null if another attempt of the tenant is in progress; an attempt older than
   * `abandonedMs`, by the database's clock, was abandoned by its process and finishes without an outcome.
   */
  async begin(
    attempt: Pick<RegistrationAttemptEntity, 'tenant' | 'url' | 'events' | 'requestedFrom'>,
    abandonedMs: number,
  ): Promise<string | null> {
    const attempts = this.database.repository(RegistrationAttemptEntity);
    const isAbandoned = Raw((startedAt) => `${startedAt} < now() - :abandonedMs * interval '1 millisecond'`, {
      abandonedMs,
    });
    await attempts.update(
      { tenant: attempt.tenant, finishedAt: IsNull(), startedAt: isAbandoned },
      { finishedAt: () => 'now()' },
    );
    try {
      const { identifiers } = await attempts.insert({ ...attempt, events: [...attempt.events] });
      return (identifiers[0] as { id: string }).id;
    } catch (error) {
      if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return null;
      throw error;
    }
  }

  async finish(
    id: string,
    result: {
      readonly outcome: RegistrationOutcome;
      readonly platformId: string | null;
      readonly platformMessage: string | null;
    },
  ): Promise<void> {
    await this.database.repository(RegistrationAttemptEntity).update({ id }, { ...result, finishedAt: () => 'now()' });
  }

  /** All attempts of a tenant, oldest first. */
  async of(tenant: string): Promise<RegistrationAttemptEntity[]> {
    return this.database.repository(RegistrationAttemptEntity).find({ where: { tenant }, order: { id: 'ASC' } });
  }

  /** Receipt time of the tenant's newest notification, which shows that the registered webhook works. */
  async lastReceivedAt(tenant: string): Promise<Date | null> {
    const newest = await this.database.repository(NotificationEntity).findOne({
      select: { receivedAt: true },
      where: { tenant, body: Not(IsNull()) },
      order: { receivedAt: 'DESC' },
    });
    return newest?.receivedAt ?? null;
  }
}
