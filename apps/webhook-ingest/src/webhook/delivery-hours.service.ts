import { Database } from '@gondola/service-kit/database/database';
import { classifyDatabaseError } from '@gondola/service-kit/database/database-errors';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { Inject, Injectable } from '@nestjs/common';

/** Outcome of a known sender's delivery. */
export const RECEIVED_OUTCOMES = ['stored', 'repeated', 'quarantined', 'spooled', 'too-large', 'not-stored'] as const;
export type ReceivedOutcome = (typeof RECEIVED_OUTCOMES)[number];

export interface DeliveryHour {
  readonly hour: Date;
  readonly tenant: string;
  readonly outcome: ReceivedOutcome;
  readonly deliveries: number;
}

const EVERY_MS = 2_000;
const HOUR_MS = 3_600_000;

/** $1 hours, $2 tenants, $3 outcomes, $4 deliveries. */
const ADD = `
  INSERT INTO delivery_hours (hour, tenant, outcome, deliveries)
  SELECT * FROM unnest($1::timestamptz[], $2::text[], $3::text[], $4::bigint[]) ORDER BY 1, 2, 3
  ON CONFLICT (hour, tenant, outcome) DO UPDATE SET deliveries = delivery_hours.deliveries + excluded.deliveries`;

/**
 * Counts deliveries by hour, tenant and outcome, for operators. Counts are held for two seconds, so that a delivery
 * costs no statement: a process that is killed loses those of its last two seconds. Tested in
 * delivery-hours.int.spec.ts.
 */
@Injectable()
export class DeliveryHours extends RepeatingTask {
  #held = new Map<string, DeliveryHour>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ name: 'delivery hours', everyMs: EVERY_MS, run: () => this.store(), logger });
  }

  count(tenant: string, outcome: ReceivedOutcome, deliveries = 1): void {
    const now = this.clock.now();
    this.#add({ hour: new Date(now - (now % HOUR_MS)), tenant, outcome, deliveries });
  }

  /** Stores what was counted; while the database does not answer, it is held on. */
  async store(): Promise<void> {
    const held = [...this.#held.values()];
    if (held.length === 0) return;
    this.#held = new Map();
    try {
      await this.database.query(ADD, [
        held.map(({ hour }) => hour),
        held.map(({ tenant }) => tenant),
        held.map(({ outcome }) => outcome),
        held.map(({ deliveries }) => deliveries),
      ]);
      await this.database.query("DELETE FROM delivery_hours WHERE hour < now() - interval '49 hours'");
    } catch (error) {
      if (classifyDatabaseError(error) !== 'transient') throw error;
      for (const each of held) this.#add(each);
    }
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.store();
  }

  /** Hours of the last two days, oldest first. */
  async list(tenant: string | null): Promise<DeliveryHour[]> {
    const { rows } = await this.database.query<DeliveryHour & { [column: string]: unknown }>(
      `SELECT hour, tenant, outcome, deliveries::float8 AS deliveries FROM delivery_hours
       WHERE hour > now() - interval '48 hours' AND ($1::text IS NULL OR tenant = $1) ORDER BY hour, tenant, outcome`,
      [tenant],
    );
    return rows;
  }

  #add(counted: DeliveryHour): void {
    const key = `${counted.hour.getTime()}/${counted.outcome}/${counted.tenant}`;
    const deliveries = (this.#held.get(key)?.deliveries ?? 0) + counted.deliveries;
    this.#held.set(key, { ...counted, deliveries });
  }
}
