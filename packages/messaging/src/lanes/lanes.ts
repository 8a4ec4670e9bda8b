import { setTimeout as delay } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';

import { Database, type Tx } from '@gondola/service-kit/database/database';

import type { Queryable } from '../store/queryable.ts';
import { sqlStateOf } from '../consume/disposition.ts';
import {
  CLAIM_LANES,
  EXISTING_LANES,
  FIND_LANE,
  FINISH_LANES,
  HAND_BACK_LANES,
  KEYS_OF_LANES,
  LOCK_HELD,
  NEXT_READY,
  POSTPONE_LANES,
  RENEW_LANES,
  WAKE_LANES,
} from './lanes.sql.ts';

/** One entity whose work is done in one row: an order, a product, a SKU's images. */
export interface LaneKey {
  readonly tenant: string;
  readonly kind: string;
  readonly identity: string;
}

/**
 * A lane that is leased. Who claims it later gets a higher epoch, and what is finished under the lower one is not
 * saved.
 */
export interface ClaimedLane extends LaneKey {
  readonly id: string;
  readonly epoch: string;
  /** Steps that failed or were never finished since the last one that was. */
  readonly failures: number;
}

/** A lane as it stands, for an operator's look. */
export interface LaneState {
  readonly id: string;
  /** RFC 3339 in UTC; null: only a command or a notification wakes it. */
  readonly dueAt: string | null;
  /** While a worker has it. */
  readonly leaseUntil: string | null;
  /** Steps that failed in a row. */
  readonly failures: number;
}

interface StateRow {
  id: string;
  due_at: Date | null;
  lease_until: Date | null;
  failures: number;
}

/**
 * By lane id, when a finished lane is due again; null: not before somebody wakes it. In milliseconds, added to the
 * database's clock.
 */
export type NextDue = ReadonlyMap<string, { readonly inMs: number } | null>;

const DEADLOCK = '40P01';
const MAX_ATTEMPTS = 3;
/** Short beside the second after which PostgreSQL notices a deadlock, long for a process that has to get a turn. */
const RETRY_MS = 200;

/** Where `wake` puts a lane's id. */
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
 * Gives: a lane is with one claimant at a time; a wake is never lost, not even during a step; what a claimant whose
 * lease another took over tries to finish is not saved. Tested in lanes-invariants.int.spec.ts,
 * lanes-concurrent.int.spec.ts.
 */
@Injectable()
export class Lanes {
  constructor(private readonly database: Database) {}

  /**
   * Makes lanes due now, creating those that do not exist, and locks them until `tx` ends. Call it first in a
   * transaction, before what belongs to the lanes is inserted. Returns each lane's id under `laneText` of its key.
   */
  async wake(tx: Tx, keys: readonly LaneKey[]): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map();
    const { rows } = await tx.query<LaneKey & { id: string }>(WAKE_LANES, columnsOf(keys));
    return new Map(rows.map((row) => [laneText(row), row.id]));
  }

  /** Null where nothing ever woke such a lane. */
  async find({ tenant, kind, identity }: LaneKey): Promise<LaneState | null> {
    const { rows } = await this.database.query<StateRow>(FIND_LANE, [tenant, kind, identity]);
    const [row] = rows;
    if (row === undefined) return null;
    const { id, due_at: dueAt, lease_until: leaseUntil, failures } = row;
    return { id, dueAt: dueAt?.toISOString() ?? null, leaseUntil: leaseUntil?.toISOString() ?? null, failures };
  }

  /** The keys of lanes by their ids; what is no lane is left out. */
  async keysOf(db: Queryable, ids: readonly string[]): Promise<Map<string, LaneKey>> {
    if (ids.length === 0) return new Map();
    const { rows } = await db.query<LaneKey & { id: string }>(KEYS_OF_LANES, [ids]);
    return new Map(rows.map(({ id, tenant, kind, identity }) => [id, { tenant, kind, identity }]));
  }

  /** Those of the lanes that exist, each once: for what wakes a lane but is no reason to make one. */
  async existing(db: Queryable, keys: readonly LaneKey[]): Promise<LaneKey[]> {
    if (keys.length === 0) return [];
    const { rows } = await db.query<LaneKey & QueryResultRow>(EXISTING_LANES, columnsOf(keys));
    return rows;
  }

  /** Leases up to `limit` due lanes, longest due first. */
  async claim(wanted: { tenant: string; kind: string; limit: number; leaseMs: number }): Promise<ClaimedLane[]> {
    const { rows } = await this.database.query<ClaimedLane>(CLAIM_LANES, [
      wanted.tenant,
      wanted.kind,
      wanted.limit,
      wanted.leaseMs,
    ]);
    return rows;
  }

  /** Milliseconds until the next lane can be claimed, 0 or less if one can, null if none waits. */
  async nextReadyInMs({ tenant, kind }: { tenant: string; kind: string }): Promise<number | null> {
    const { rows } = await this.database.query<{ in_ms: number }>(NEXT_READY, [tenant, kind]);
    return rows[0]?.in_ms ?? null;
  }

  /** Extends the leases of those that are still held, and returns these. */
  async renew(lanes: readonly ClaimedLane[], leaseMs: number): Promise<ClaimedLane[]> {
    const { rows } = await this.database.query<{ id: string }>(RENEW_LANES, [...idsAndEpochs(lanes), leaseMs]);
    return onlyOf(lanes, rows);
  }

  /**
   * Writes something down in the middle of a step, such as an attempt before its call: one transaction with the lanes
   * that are still held locked. Their leases stay. What `work` returns is returned; `held` may be empty, and then
   * nothing must be sent.
   */
  async checkpoint<T>(lanes: readonly ClaimedLane[], work: (tx: Tx, held: ClaimedLane[]) => Promise<T>): Promise<T> {
    return this.#transaction(async (tx) => work(tx, await lockHeld(tx, lanes)));
  }

  /**
   * Ends a step: one transaction with what `work` saves and the return of the leases. Lanes that were lost are left out
   * of `held`, and without any held one `work` is not called. `work` must name each held lane in what it returns. A
   * lane that was woken since its claim is due again at once, whatever `work` says. After a deadlock `work` is called
   * again, so it must change nothing but through `tx`.
   */
  async finish(lanes: readonly ClaimedLane[], work: (tx: Tx, held: ClaimedLane[]) => Promise<NextDue>): Promise<void> {
    await this.#transaction(async (tx) => {
      const held = await lockHeld(tx, lanes);
      if (held.length === 0) return;
      const next = await work(tx, held);
      await tx.query(FINISH_LANES, [held.map(({ id }) => id), held.map((lane) => inMsOf(lane, next))]);
    });
  }

  /** Returns leases of lanes on which nothing went wrong; they are due at once. */
  async handBack(lanes: readonly ClaimedLane[]): Promise<void> {
    await this.database.query(HAND_BACK_LANES, idsAndEpochs(lanes));
  }

  /** Returns leases after a step that failed; each lane is due after `inMs` of it, even if it was woken meanwhile. */
  async postpone(lanes: readonly ClaimedLane[], inMs: (lane: ClaimedLane) => number): Promise<void> {
    await this.database.query(POSTPONE_LANES, [...idsAndEpochs(lanes), lanes.map(inMs)]);
  }

  /**
   * Two steps that wake each other's lanes while they hold their own deadlock. PostgreSQL ends one of them; what it did
   * is worth more than to be thrown away with the answer of a call in it, so it tries again: not at once, because the
   * survivor must first take the lock that it waited for, and would find it taken back.
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

/** A lane that the step forgot would sleep on its work for ever, so that is a bug which saves nothing. */
function inMsOf(lane: ClaimedLane, next: NextDue): number | null {
  const due = next.get(lane.id);
  if (due === undefined) throw new Error(`The step did not say when lane ${lane.id} is due`);
  return due === null ? null : due.inMs;
}
