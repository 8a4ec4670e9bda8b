import type { Database } from '@gondola/service-kit/database/database';
import type { RegistrationOutcome } from '../domain/registration-outcome.ts';

/**
 * What was asked of the platform, and how it ended; `outcome` null while it is under way, or where the process ended
 * before it was told.
 */
export interface RegistrationAttempt {
  readonly id: string;
  readonly tenant: string;
  readonly url: string;
  readonly events: readonly string[];
  /** The address that asked. */
  readonly requestedFrom: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly outcome: RegistrationOutcome | null;
  /** The platform's id of the webhook. */
  readonly platformId: string | null;
  readonly platformMessage: string | null;
}

const ATTEMPT = `
  id, tenant, url, events, requested_from AS "requestedFrom", started_at AS "startedAt", finished_at AS "finishedAt", outcome,
  platform_id AS "platformId", platform_message AS "platformMessage"`;

const UNIQUE_VIOLATION = '23505';

/**
 * Every attempt to register a webhook, written down before its call: the platform never tells what is registered, so
 * that this is all there is. It holds no token, nor anything made from one. Tested in webhook-registration.int.spec.ts.
 */
export class RegistrationsRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Writes an attempt down. Null where another one of the tenant is under way; one that is older than `abandonedMs`, by
   * the database's clock, was given up by its process, and ends without an outcome.
   */
  async begin(
    attempt: Pick<RegistrationAttempt, 'tenant' | 'url' | 'events' | 'requestedFrom'>,
    abandonedMs: number,
  ): Promise<string | null> {
    const { tenant, url, events, requestedFrom } = attempt;
    await this.#database.query(
      `UPDATE webhook_registrations SET finished_at = now()
       WHERE tenant = $1 AND finished_at IS NULL AND started_at < now() - $2 * interval '1 millisecond'`,
      [tenant, abandonedMs],
    );
    try {
      const { rows } = await this.#database.query<{ id: string }>(
        'INSERT INTO webhook_registrations (tenant, url, events, requested_from) VALUES ($1, $2, $3, $4) RETURNING id',
        [tenant, url, events, requestedFrom],
      );
      return rows[0]!.id;
    } catch (error) {
      if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return null;
      throw error;
    }
  }

  async finish(
    id: string,
    end: {
      readonly outcome: RegistrationOutcome;
      readonly platformId: string | null;
      readonly platformMessage: string | null;
    },
  ): Promise<void> {
    await this.#database.query(
      `UPDATE webhook_registrations SET finished_at = now(), outcome = $2, platform_id = $3, platform_message = $4 WHERE id = $1`,
      [id, end.outcome, end.platformId, end.platformMessage],
    );
  }

  /** All of a tenant's, oldest first. */
  async of(tenant: string): Promise<RegistrationAttempt[]> {
    const { rows } = await this.#database.query<RegistrationAttempt>(
      `SELECT ${ATTEMPT} FROM webhook_registrations WHERE tenant = $1 ORDER BY id`,
      [tenant],
    );
    return rows;
  }

  /** When something of the tenant's last came in: what shows that the webhook in place is the right one. */
  async lastReceivedAt(tenant: string): Promise<Date | null> {
    const { rows } = await this.#database.query<{ at: Date | null }>(
      'SELECT max(received_at) AS at FROM notifications WHERE tenant = $1 AND body IS NOT NULL',
      [tenant],
    );
    return rows[0]?.at ?? null;
  }
}
