import { setTimeout as delay } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';

import { Database, type Tx } from '@gondola/service-kit/database/database';

import type { Queryable } from '../store/queryable.ts';
import { sqlStateOf } from '@gondola/service-kit/database/database-errors';
import {
  CLAIM_LANES,
  EXISTING_LANES,
  FIND_LANE,
  FINISH_LANES,
  HAND_BACK_LANES,
  KEYS_OF_LANES,
  LOCK_HELD,
  POSTPONE_LANES,
  READINESS,
  RENEW_LANES,
  WAKE_LANES,
} from './lanes.sql.ts';

/** An entity whose work is coordinated by one row: an order, a product, a SKU's images. */
export interface LaneKey {
  readonly tenant: string;
  readonly kind: string;
  readonly identity: string;
}

/** One tenant's lanes of one kind: the work of one worker. */
export type LaneGroup = Pick<LaneKey, 'tenant' | 'kind'>;

export interface LaneReadiness extends LaneGroup {
  /** True if a lane can be claimed now. */
  readonly isReady: boolean;
  /** Milliseconds until one more lane can be claimed; null if none is due later. */
  readonly nextInMs: number | null;
}

/** A leased lane. A later claim raises the epoch, and a step under a lower epoch cannot be saved. */
export interface ClaimedLane extends LaneKey {
  readonly id: string;
  readonly epoch: string;
  /** Steps that failed or never finished since the last finished one. */
  readonly failures: number;
}

/** State of a lane, for operators. */
export interface LaneState {
  readonly id: string;
  /** RFC 3339 in UTC; null: only a command or a notification wakes the lane. */
  readonly dueAt: string | null;
  /** Null unless a worker has leased the lane. */
  readonly leaseUntil: string | null;
  /** Number of failed steps in a row. */
  readonly failures: number;
}

type StoredState = Omit<LaneState, 'dueAt' | 'leaseUntil'> & Record<'dueAt' | 'leaseUntil', Date | null>;

/**
 * When each finished lane is due again, by lane id: milliseconds, added to the database's clock; null: not before
 * it is woken.
 */
export type NextDue = ReadonlyMap<string, { readonly inMs: number } | null>;

const DEADLOCK = '40P01';
const MAX_ATTEMPTS = 3;
/**
 * Short compared with the second after which PostgreSQL detects a deadlock, long for a process that waits for its
 * turn.
 */
const RETRY_MS = 200;

/** Key of a lane in the result of `wake`. */
export function laneText({ tenant, kind, identity }: LaneKey): string {
  return `${tenant}/${kind}/${identity}`;
}

/**
 * Mechanism 2: one row per entity, with a lease, an epoch and a due time, all by the database's clock.
 *
 *            wake                claim
 *   asleep ───────▶ due ──────────────────────▶ leased ──▶ finish ──▶ asleep, or due at the time that the step gave
 *                    ▲                           │  │
 *                    │   woken while leased:     │  ├────▶ postpone (the step failed) ──▶ due after a back-off
 *                    └── due again after finish ─┘  └────▶ lease runs out ──▶ claimed by the next, epoch + 1
 *
 * Guarantees: a lane has one claimant at a time; a wake is never lost, not even during a step; a claimant whose
 * lane was claimed by another cannot save its step. Tested in lanes-invariants.int.spec.ts,
 * lanes-concurrent.int.spec.ts.
 *
 * A lane's id is the key under which apps store what they know of the entity: an order, a product, a price as it was
 * last applied. That outlives the commands, so a lane is deleted only when no row of any table has its `lane_id`
 * (`deleteUnusedLanes`). There are as many lanes as entities of which something is stored.
 */
@Injectable()
export class Lanes {
  readonly #finished = new WeakSet<ClaimedLane>();

  constructor(private readonly database: Database) {}

  /**
   * Makes lanes due now, creates those that do not exist, and locks them until `tx` ends. Call it first in a
   * transaction, before inserting rows that belong to the lanes. Returns each lane's id under `laneText` of its
   * key.
   */
  async wake(tx: Tx, keys: readonly LaneKey[]): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map();
    const { rows } = await tx.query<LaneKey & { id: string }>(WAKE_LANES, columnsOf(keys));
    return new Map(rows.map((row) => [laneText(row), row.id]));
  }

  /** Null if the lane does not exist. */
  async find({ tenant, kind, identity }: LaneKey): Promise<LaneState | null> {
    const { rows } = await this.database.query<StoredState>(FIND_LANE, [tenant, kind, identity]);
    const [row] = rows;
    if (row === undefined) return null;
    const { dueAt, leaseUntil } = row;
    return { ...row, dueAt: dueAt?.toISOString() ?? null, leaseUntil: leaseUntil?.toISOString() ?? null };
  }

  /** Keys of lanes by id; unknown ids are left out. */
  async keysOf(db: Queryable, ids: readonly string[]): Promise<Map<string, LaneKey>> {
    if (ids.length === 0) return new Map();
    const { rows } = await db.query<LaneKey & { id: string }>(KEYS_OF_LANES, [ids]);
    return new Map(rows.map(({ id, tenant, kind, identity }) => [id, { tenant, kind, identity }]));
  }

  /** The lanes that exist, each once: for an event that wakes a lane but must not create one. */
  async existing(db: Queryable, keys: readonly LaneKey[]): Promise<LaneKey[]> {
    if (keys.length === 0) return [];
    const { rows } = await db.query<LaneKey & QueryResultRow>(EXISTING_LANES, columnsOf(keys));
    return rows;
  }

  /** Leases up to `limit` due lanes, those that are due longest first. */
  async claim(wanted: { tenant: string; kind: string; limit: number; leaseMs: number }): Promise<ClaimedLane[]> {
    const { rows } = await this.database.query<ClaimedLane>(CLAIM_LANES, [
      wanted.tenant,
      wanted.kind,
      wanted.limit,
      wanted.leaseMs,
    ]);
    return rows;
  }

  /** Whether each group has ready lanes. Urgent: it must not wait for a connection behind the steps of some group. */
  async readiness(groups: readonly LaneGroup[]): Promise<LaneReadiness[]> {
    const columns = [groups.map(({ tenant }) => tenant), groups.map(({ kind }) => kind)];
    const { rows } = await this.database.urgently(() =>
      this.database.query<LaneReadiness & QueryResultRow>(READINESS, columns),
    );
    return rows;
  }

  /** Extends the leases of the lanes that are still held, and returns these lanes. */
  async renew(lanes: readonly ClaimedLane[], leaseMs: number): Promise<ClaimedLane[]> {
    const { rows } = await this.database.query<{ id: string }>(RENEW_LANES, [...idsAndEpochs(lanes), leaseMs]);
    return onlyOf(lanes, rows);
  }

  /**
   * Runs `work` in the middle of a step, such as storing an attempt before its call: one transaction in which the
   * lanes that are still held are locked. Their leases stay. Returns the result of `work`. If `held` is empty, the
   * step must make no call.
   */
  async checkpoint<T>(lanes: readonly ClaimedLane[], work: (tx: Tx, held: ClaimedLane[]) => Promise<T>): Promise<T> {
    return this.#transaction(async (tx) => work(tx, await lockHeld(tx, lanes)));
  }

  /**
   * Ends a step: one transaction with the writes of `work` and the return of the leases. Lost lanes are left out of
   * `held`; if none is held, `work` is not called. Its result must contain each held lane; one woken since its claim is
   * due at once. After a deadlock `work` is called again: it must change nothing except through `tx`.
   */
  async finish(lanes: readonly ClaimedLane[], work: (tx: Tx, held: ClaimedLane[]) => Promise<NextDue>): Promise<void> {
    const finished = await this.#transaction(async (tx) => {
      const held = await lockHeld(tx, lanes);
      if (held.length === 0) return held;
      const next = await work(tx, held);
      await tx.query(FINISH_LANES, [held.map(({ id }) => id), held.map((lane) => inMsOf(lane, next))]);
      return held;
    });
    for (const lane of finished) this.#finished.add(lane);
  }

  /** True if `finish` has returned the lease, whatever else its step does. */
  isFinished(lane: ClaimedLane): boolean {
    return this.#finished.has(lane);
  }

  /** Returns leases of lanes without a failure; they are due at once. */
  async handBack(lanes: readonly ClaimedLane[]): Promise<void> {
    await this.database.query(HAND_BACK_LANES, idsAndEpochs(lanes));
  }

  /** Returns leases after a failed step; each lane is due after `inMs`, even if it was woken in the meantime. */
  async postpone(lanes: readonly ClaimedLane[], inMs: (lane: ClaimedLane) => number): Promise<void> {
    await this.database.query(POSTPONE_LANES, [...idsAndEpochs(lanes), lanes.map(inMs)]);
  }

  /**
   * Retries after a deadlock. Two steps that wake each other's lanes while they hold their own deadlock, and
   * PostgreSQL aborts one of them. Its work is too valuable to lose, since it contains the answer of a call. The
   * retry waits, because the survivor must first take the lock that it waited for.
   */
  async #transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.database.transaction(work);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || sqlStateOf(error) !== DEADLOCK) throw error;
        await delay(RETRY_MS);
      }
    }
  }
}

function columnsOf(keys: readonly LaneKey[]): [tenants: string[], kinds: string[], identities: string[]] {
  return [keys.map(({ tenant }) => tenant), keys.map(({ kind }) => kind), keys.map(({ identity }) => identity)];
}

async function lockHeld(tx: Tx, lanes: readonly ClaimedLane[]): Promise<ClaimedLane[]> {
  const { rows } = await tx.query<{ id: string }>(LOCK_HELD, idsAndEpochs(lanes));
  return onlyOf(lanes, rows);
}

function idsAndEpochs(lanes: readonly ClaimedLane[]): [ids: string[], epochs: string[]] {
  return [lanes.map(({ id }) => id), lanes.map(({ epoch }) => epoch)];
}

function onlyOf(lanes: readonly ClaimedLane[], rows: readonly { id: string }[]): ClaimedLane[] {
  const ids = new Set(rows.map(({ id }) => id));
  return lanes.filter(({ id }) => ids.has(id));
}

/** A lane that the step forgot would sleep for ever, so this is a bug, and nothing is saved. */
function inMsOf(lane: ClaimedLane, next: NextDue): number | null {
  const due = next.get(lane.id);
  if (due === undefined) throw new Error(`The step returned no due time for lane ${lane.id}`);
  return due === null ? null : due.inMs;
}
