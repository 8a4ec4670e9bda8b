import { Inject, Injectable } from '@nestjs/common';

import { TENANTS } from '@gondola/service-kit/config/injected';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { Database } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { settlesWithin } from '@gondola/service-kit/run/within';
import {
  modeAt,
  POINT_LEAD_MS,
  type ShadowMode,
  type ShadowPoint,
  type ShadowPoints,
  withPoint,
} from '@gondola/shared/shadow/shadow-points';

import type { Queryable } from '../store/queryable.ts';

/** Mode, points and hold of a tenant, for operators. */
export interface TenantShadow extends ShadowPoints {
  readonly tenant: string;
  /** The mode now. */
  readonly mode: ShadowMode;
}

/** The point cannot be set; the message is the rest of a sentence about the tenant. */
export class ShadowPointRefusedError extends Error {}

interface Known {
  /** Number of the question that they answer, and its time by the clock of this process. */
  readonly question: number;
  readonly askedAt: number;
  readonly of: ReadonlyMap<string, ShadowPoints>;
}

type Row = ShadowPoints & { tenant: string; now: number };

const EVERY_MS = 5_000;
const FIRST_MS = 3_000;
/** Half of the time from the setting of a point to its start: the points of this time ago are all that count now. */
const GOOD_FOR_MS = POINT_LEAD_MS / 2;
const NONE: ShadowPoints = { points: [], heldSince: null };
const SHOWN = `
  tenant, points, EXTRACT(EPOCH FROM held_since)::float8 * 1000 AS "heldSince",
  EXTRACT(EPOCH FROM clock_timestamp())::float8 * 1000 AS now`;

/**
 * In which mode a tenant is that the tenants file has in shadow: by what came when, so that every process decides the
 * same about a command, whenever it does and however late it is.
 *
 *   hold ──▶ its lanes are not claimed ──▶ a point that is set, a minute after the hold or ahead of now ──▶ go on:
 *            what was made before the point is left out, the rest is done
 *
 * A process knows the points of at most half a minute ago, or asks (`ready`), before it claims a lane or publishes. All
 * other tenants are live, without any of this.
 */
@Injectable()
export class ShadowModes extends RepeatingTask {
  readonly #inShadow: ReadonlySet<string>;
  readonly #areAll: boolean;
  #known: Known = { question: 0, askedAt: -Infinity, of: new Map() };
  #questions = 0;

  constructor(
    @Inject(Database) private readonly database: Pick<Database, 'query' | 'transaction'>,
    private readonly clock: Clock,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'mode'>>,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ name: 'shadow points', everyMs: EVERY_MS, run: () => this.#ask(database), logger });
    this.#inShadow = new Set(tenants.flatMap(({ id, mode }) => (mode === 'shadow' ? [id] : [])));
    this.#areAll = this.#inShadow.size === tenants.length;
  }

  /** Tenants that the tenants file has in shadow. */
  get tenants(): ReadonlySet<string> {
    return this.#inShadow;
  }

  /** Waits a moment for the points, which an app without its database cannot know. */
  override async start(): Promise<void> {
    if (this.#inShadow.size === 0) return;
    await settlesWithin(FIRST_MS, this.ready());
    await super.start();
  }

  /** Makes sure that the points are known that count now. */
  async ready(db: Queryable = this.database): Promise<void> {
    const age = this.clock.now() - this.#known.askedAt;
    // A clock that was set back tells no age.
    if (this.#inShadow.size > 0 && (age < 0 || age > GOOD_FOR_MS)) await this.#ask(db);
  }

  /** Mode for what came at a time (ms since 1970; null: now); of no known tenant: shadow if all tenants are in it. */
  of(tenant: string | undefined, at: number | null): ShadowMode {
    if (tenant === undefined) return this.#areAll ? 'shadow' : 'live';
    if (!this.#inShadow.has(tenant)) return 'live';
    return modeAt(this.#known.of.get(tenant) ?? NONE, at ?? this.clock.now());
  }

  /** False while the tenant's work is held. */
  async mayWork(tenant: string): Promise<boolean> {
    if (!this.#inShadow.has(tenant)) return true;
    await this.ready();
    return (this.#known.of.get(tenant) ?? NONE).heldSince === null;
  }

  /** Tenants of the tenants file in shadow. */
  async list(): Promise<TenantShadow[]> {
    await this.#ask(this.database);
    return [...this.#inShadow].map((tenant) => this.#shown(tenant));
  }

  /** Holds the work of a tenant, whose commands and facts are stored meanwhile. */
  async hold(tenant: string, by: string | null): Promise<TenantShadow> {
    return this.#change(tenant, by, (known, now) => ({ ...known, heldSince: known.heldSince ?? now }));
  }

  /** Ends a hold without a point. */
  async release(tenant: string, by: string | null): Promise<TenantShadow> {
    return this.#change(tenant, by, (known) => ({ ...known, heldSince: null }));
  }

  /** @throws ShadowPointRefusedError */
  async set(tenant: string, point: ShadowPoint, by: string | null): Promise<TenantShadow> {
    return this.#change(tenant, by, (known, now) => {
      const after = withPoint(known, point, now);
      if (typeof after === 'string') throw new ShadowPointRefusedError(after);
      return after;
    });
  }

  async #change(
    tenant: string,
    by: string | null,
    change: (known: ShadowPoints, now: number) => ShadowPoints,
  ): Promise<TenantShadow> {
    await this.database.transaction(async (tx) => {
      await tx.query('INSERT INTO shadow_points (tenant) VALUES ($1) ON CONFLICT DO NOTHING', [tenant]);
      const { rows } = await tx.query<Row>(`SELECT ${SHOWN} FROM shadow_points WHERE tenant = $1 FOR UPDATE`, [tenant]);
      const { points, heldSince } = change(rows[0]!, rows[0]!.now);
      await tx.query(
        `UPDATE shadow_points SET points = $2, held_since = to_timestamp($3::float8 / 1000), changed_at = now(), changed_by = $4
         WHERE tenant = $1`,
        [tenant, JSON.stringify(points), heldSince, by],
      );
    });
    await this.#ask(this.database);
    return this.#shown(tenant);
  }

  async #ask(db: Queryable): Promise<void> {
    this.#questions += 1;
    const question = this.#questions;
    const askedAt = this.clock.now();
    const { rows } = await db.query<Row>(`SELECT ${SHOWN} FROM shadow_points`);
    const of = new Map(rows.map((row) => [row.tenant, row]));
    if (question > this.#known.question) this.#known = { question, askedAt, of };
  }

  #shown(tenant: string): TenantShadow {
    const { points, heldSince } = this.#known.of.get(tenant) ?? NONE;
    return { tenant, mode: this.of(tenant, null), points, heldSince };
  }
}
