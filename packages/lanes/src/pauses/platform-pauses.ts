import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

import { Inject, Injectable } from '@nestjs/common';

import { Database } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';

import { LaneWorkers } from '../lanes/lane-workers.ts';
import { Lanes } from '../lanes/lanes.ts';
import type { ReplicaPause } from './pauses.dto.ts';

/** Longest time until a pause is shown to the other replicas, and until they end theirs. */
const SHARE_MS = 1_000;

/** A replica that has not written for so long is gone, and its pauses with it. */
const GONE = `interval '15 seconds'`;

const SHOWN = `replica, tenant, nullif(route, '') AS route, cause, since, until`;

/** $1 replica. */
const TAKE_ENDED = `
  UPDATE platform_pauses SET is_ended = false WHERE replica = $1 AND is_ended RETURNING ${SHOWN}`;

/** $1 replica, $2 tenants, $3 routes, $4 causes, $5 and $6 times: its pauses, and no others. */
const SHARE = `
  WITH own AS (
    SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[])
      AS own (tenant, route, cause, since, until)
  ), gone AS (
    DELETE FROM platform_pauses AS old
    WHERE old.seen_at < now() - ${GONE}
      OR (old.replica = $1 AND NOT EXISTS (SELECT 1 FROM own WHERE own.tenant = old.tenant AND own.route = old.route))
  )
  INSERT INTO platform_pauses (replica, tenant, route, cause, since, until)
  SELECT $1, tenant, route, cause, since, until FROM own
  ON CONFLICT (replica, tenant, route)
    DO UPDATE SET cause = excluded.cause, since = excluded.since, until = excluded.until, seen_at = now()`;

/** $1 this replica, whose pauses are in memory, $2 tenant, null for all. */
const OF_OTHERS = `
  SELECT ${SHOWN} FROM platform_pauses
  WHERE replica <> $1 AND ($2::text IS NULL OR tenant = $2) AND seen_at > now() - ${GONE}`;

/** $1 this replica, $2 tenant, $3 route, null for all. */
const END_OTHERS = `
  UPDATE platform_pauses SET is_ended = true
  WHERE replica <> $1 AND tenant = $2 AND ($3::text IS NULL OR route = $3) AND seen_at > now() - ${GONE}
  RETURNING ${SHOWN}`;

/**
 * Pauses of the platform in all replicas of an app. Each has its own circuit breakers in memory; while one is open it
 * is shared by a row each second, in which the others, for their operators, ask for its end. An app without a pause
 * asks the database nothing.
 *
 *   429 with a `Retry-After` ──▶ open ──▶ row ──▶ `end`, at any replica ──▶ one trial call, and lanes that sleep until
 *                                                                            the end of the pause are woken
 */
@Injectable()
export class PlatformPauses extends RepeatingTask {
  readonly #replica = `${hostname()}.${process.pid}.${randomUUID().slice(0, 4)}`;
  readonly #parts: {
    readonly database: Database;
    readonly clients: Pick<PlatformClients, 'pauses' | 'endPause'>;
    readonly lanes: Pick<Lanes, 'wakeSleeping'>;
    readonly workers: Pick<LaneWorkers, 'wake'>;
  };
  /** It has rows in the table. */
  #isShared = false;

  constructor(
    database: Database,
    @Inject(PlatformClients) clients: Pick<PlatformClients, 'pauses' | 'endPause'>,
    @Inject(Lanes) lanes: Pick<Lanes, 'wakeSleeping'>,
    @Inject(LaneWorkers) workers: Pick<LaneWorkers, 'wake'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ name: 'share pauses', everyMs: SHARE_MS, run: () => this.share(), logger });
    this.#parts = { database, clients, lanes, workers };
  }

  /** The pauses of all replicas, the eldest first. */
  async list(tenant: string | null): Promise<ReplicaPause[]> {
    const { rows } = await this.#parts.database.query<Row>(OF_OTHERS, [this.#replica, tenant]);
    const own = this.#own().filter((pause) => tenant === null || pause.tenant === tenant);
    return [...own, ...rows].toSorted((one, other) => one.since.getTime() - other.since.getTime());
  }

  /** Ends a tenant's pauses, of a route or all, and returns them; other replicas end theirs within a second. */
  async end(tenant: string, route: string | null): Promise<ReplicaPause[]> {
    const { rows } = await this.#parts.database.query<Row>(END_OTHERS, [this.#replica, tenant, route]);
    const own = this.#own().filter((pause) => pause.tenant === tenant && (route === null || pause.route === route));
    await this.#endOwn(own);
    if (this.#isShared) await this.share();
    return [...own, ...rows];
  }

  /** Ends what other replicas were asked to end, and shares what is paused. */
  async share(): Promise<void> {
    const { database } = this.#parts;
    if (this.#isShared) {
      const { rows: ended } = await database.query<Row>(TAKE_ENDED, [this.#replica]);
      await this.#endOwn(ended);
    }
    const own = this.#own();
    if (own.length === 0 && !this.#isShared) return;
    await database.query(SHARE, [
      this.#replica,
      own.map(({ tenant }) => tenant),
      own.map(({ route }) => route ?? ''),
      own.map(({ cause }) => cause),
      own.map(({ since }) => since),
      own.map(({ until }) => until),
    ]);
    this.#isShared = own.length > 0;
  }

  /**
   * Each replica wakes the lanes after its own end: one that was woken sooner may sleep by a breaker still open. All of
   * them: the row may be older than a trial call that opened the pause anew, so it does not say how long lanes sleep.
   */
  async #endOwn(pauses: readonly ReplicaPause[]): Promise<void> {
    for (const { tenant, route } of pauses) this.#parts.clients.endPause(tenant, route);
    for (const tenant of new Set(pauses.map((pause) => pause.tenant))) {
      await this.#parts.lanes.wakeSleeping(tenant);
    }
    if (pauses.length > 0) this.#parts.workers.wake();
  }

  /** Two services of the platform may each pause all calls of a tenant: the longer pause is shown. */
  #own(): ReplicaPause[] {
    const pauses = this.#parts.clients.pauses().toSorted((one, other) => one.until - other.until);
    const shown = pauses.map(({ since, until, ...pause }) => {
      return { ...pause, since: new Date(since), until: new Date(until), replica: this.#replica };
    });
    return [...new Map(shown.map((pause) => [`${pause.tenant} ${pause.route}`, pause])).values()];
  }
}

type Row = ReplicaPause & { [column: string]: unknown };
