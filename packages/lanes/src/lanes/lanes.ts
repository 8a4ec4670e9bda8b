import { setTimeout as delay } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';

import { Database, type Tx } from '@gondola/service-kit/database/database';

import type { Queryable } from '../store/queryable.ts';
import { sqlStateOf } from '@gondola/service-kit/database/database-errors';
import {
  checkLanes,
  CLAIM_LANES,
  EXISTING_LANES,
  FIND_LANE,
  finishLanes,
  HAND_BACK_LANES,
  IDS_OF_LANES,
  KEYS_OF_LANES,
  LOCK_HELD,
  POSTPONE_LANES,
  READINESS,
  RENEW_LANES,
  WAKE_LANES,
  WAKE_SLEEPING,
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
  /** Milliseconds until one more lane can be claimed; null if none is due within the time that was asked for. */
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

/** Milliseconds, added to the database's clock, until a finished lane is due again; null: not before it is woken. */
export type NextDue = (lane: ClaimedLane) => number | null;

/** Not due before it is woken. */
export const ASLEEP: NextDue = () => null;

/**
 * A statement that writes what belongs to lanes, beside the one of the lanes themselves. `text` reads the held lanes
 * from `held`, with their `id` and whether each `"isWoken"`; its parameters begin at the given number.
 */
export interface Beside {
  readonly text: (first: number) => string;
  readonly values: readonly unknown[];
}

/** Lanes of a step that are still held. */
export interface HeldLanes {
  readonly held: ClaimedLane[];
  /** Those of them that were woken since their claim. */
  readonly woken: ReadonlySet<ClaimedLane>;
}

/** Writes of a step; `woken` are those of the held lanes that were woken since their claim. */
export type StepWork = (tx: Tx, held: ClaimedLane[], woken: ReadonlySet<ClaimedLane>) => Promise<void>;

type HeldRow = { id: string; isWoken: boolean };
type FinishedRow = HeldRow & { dueInMs: number | null };

/** Number of the first parameter of what is written beside. */
const FIRST_BESIDE_CHECK = 3;
const FIRST_BESIDE_FINISH = 4;

/** Lanes that one statement wakes. */
const WOKEN_AT_ONCE = 5_000;

const DEADLOCK = '40P01';
const MAX_ATTEMPTS = 3;
/**
 * Short compared with the second after which PostgreSQL detects a deadlock, long for a process that waits for its
 * turn.
 */
const RETRY_MS = 200;

/** Those of the items whose lanes are held. */
export function ofLanes<T extends { readonly lane: ClaimedLane }>(
  items: readonly T[],
  held: readonly ClaimedLane[],
): T[] {
  const lanes = new Set(held);
  return items.filter(({ lane }) => lanes.has(lane));
}

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
  /** Milliseconds until each finished lane is due, from its end. */
  readonly #finished = new WeakMap<ClaimedLane, number | null>();

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

  /** Wakes all lanes of a tenant, within seconds: what they sleep for, such as a pause, may have ended. */
  async wakeSleeping(tenant: string): Promise<void> {
    let woken: number;
    do {
      const values = [tenant, WOKEN_AT_ONCE];
      const { rowCount } = await this.#repeated(() => this.database.query(WAKE_SLEEPING, values));
      woken = rowCount ?? 0;
    } while (woken === WOKEN_AT_ONCE);
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

  /** Ids of the lanes that exist, by `laneText` of their keys. */
  async idsOf(db: Queryable, keys: readonly LaneKey[]): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map();
    const { rows } = await db.query<LaneKey & { id: string }>(IDS_OF_LANES, columnsOf(keys));
    return new Map(rows.map((row) => [laneText(row), row.id]));
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

  /**
   * Whether each group has ready lanes, and when the next one is due, up to `aheadMs` from now. Urgent: it must not
   * wait for a connection behind the steps of some group.
   */
  async readiness(groups: readonly LaneGroup[], aheadMs: number): Promise<LaneReadiness[]> {
    const values = [groups.map(({ tenant }) => tenant), groups.map(({ kind }) => kind), aheadMs];
    const { rows } = await this.database.urgently(() =>
      this.database.query<LaneReadiness & QueryResultRow>(READINESS, values),
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
    return this.#repeated(() => this.database.transaction(async (tx) => work(tx, await lockHeld(tx, lanes))));
  }

  /** As `checkpoint`, in one statement. */
  async check(lanes: readonly ClaimedLane[], { text, values }: Beside): Promise<HeldLanes> {
    const statement = checkLanes(text(FIRST_BESIDE_CHECK));
    const { rows } = await this.#repeated(() =>
      this.database.query<HeldRow>(statement, [...idsAndEpochs(lanes), ...values]),
    );
    return heldLanes(lanes, rows);
  }

  /**
   * Ends a step: one transaction with the return of the leases and the writes of `work`, or one statement. Lost lanes
   * are left out of `held`; if none is held, `work` is not called. A lane woken since its claim is due at once, and so
   * is one that `work` wakes. After a deadlock `work` is called again: it must change nothing except through `tx`.
   */
  async finish(lanes: readonly ClaimedLane[], next: NextDue, work?: StepWork | Beside): Promise<void> {
    const rows = await this.#repeated(() => {
      if (typeof work !== 'function') return this.#finish(this.database, lanes, next, work);
      return this.database.transaction(async (tx) => {
        const finished = await this.#finish(tx, lanes, next);
        const { held, woken } = heldLanes(lanes, finished);
        if (held.length > 0) await work(tx, held, woken);
        return finished;
      });
    });
    const dueInMs = new Map(rows.map((row) => [row.id, row.dueInMs]));
    for (const lane of onlyOf(lanes, rows)) this.#finished.set(lane, dueInMs.get(lane.id) ?? null);
  }

  /** True if `finish` has returned the lease, whatever else its step does. */
  isFinished(lane: ClaimedLane): boolean {
    return this.#finished.has(lane);
  }

  /** Milliseconds from its end until a finished lane is due; null: not before it is woken; undefined: unknown. */
  dueInMs(lane: ClaimedLane): number | null | undefined {
    return this.#finished.get(lane);
  }

  async #finish(
    db: Queryable,
    lanes: readonly ClaimedLane[],
    next: NextDue,
    beside?: Beside,
  ): Promise<readonly FinishedRow[]> {
    const values = [...idsAndEpochs(lanes), lanes.map(next), ...(beside?.values ?? [])];
    return (await db.query<FinishedRow>(finishLanes(beside?.text(FIRST_BESIDE_FINISH)), values)).rows;
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
  async #repeated<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
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

function heldLanes(lanes: readonly ClaimedLane[], rows: readonly HeldRow[]): HeldLanes {
  const held = onlyOf(lanes, rows);
  const woken = rows.filter(({ isWoken }) => isWoken);
  return { held, woken: new Set(onlyOf(held, woken)) };
}

function onlyOf(lanes: readonly ClaimedLane[], rows: readonly { id: string }[]): ClaimedLane[] {
  const ids = new Set(rows.map(({ id }) => id));
  return lanes.filter(({ id }) => ids.has(id));
}
