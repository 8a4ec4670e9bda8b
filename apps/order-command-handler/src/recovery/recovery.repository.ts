import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import type { RecoveredNumber, RecoveryOutcome } from './recovery.dto.ts';
import type { NumberRange, RecoveryCounts, RecoveryRun } from './recovery-progress.ts';
import { RecoveryCandidateEntity } from './recovery-candidate.entity.ts';
import { RecoveryRunEntity } from './recovery-run.entity.ts';

/** A number that is to be looked for. */
export interface Candidate {
  readonly runId: string;
  readonly orderNumber: string;
  /** Readings so far. */
  readonly lookups: number;
  /** Readings that the platform failed to answer. */
  readonly failures: number;
  /** The next scan reads it again, if it is not found now. */
  readonly isReadOnce: boolean;
  readonly source: RecoveryRun['source'];
}

/** $1 tenant, $2 how many: its highest order numbers; one that is not of the platform's form is left out. */
const HIGHEST = `
  SELECT order_number::bigint::float8 AS n FROM orders WHERE tenant = $1 AND order_number ~ '^[0-9]{1,15}$'
  ORDER BY order_number::bigint DESC LIMIT $2`;

/**
 * $1 tenant, $2 run, $3 and $4 range, $5 true to leave out numbers that were given up before, except above $6, the
 * newest known number, where they may exist by now; $7 milliseconds until the first read. A number that another run
 * looks for is left to that run.
 */
const ADD_CANDIDATES = `
  INSERT INTO recovery_candidates (run_id, tenant, order_number, ahead, due_at)
  SELECT $2, $1, n, n > $6::bigint, clock_timestamp() + $7 * interval '1 millisecond'
  FROM generate_series($3::bigint, $4::bigint) AS n
  WHERE NOT EXISTS (SELECT 1 FROM orders WHERE orders.tenant = $1 AND orders.order_number = n::text)
    AND NOT EXISTS (
      SELECT 1 FROM recovery_candidates AS other WHERE other.tenant = $1 AND other.order_number = n
        AND (other.outcome IS NULL OR ($5 AND other.outcome IN ('given-up', 'unreadable') AND NOT other.ahead)))`;

/** $1 tenant: numbers above the newest known one that finished scans did not find. */
const FORGET_AHEAD = `
  DELETE FROM recovery_candidates AS c USING recovery_runs AS r
  WHERE r.id = c.run_id AND r.tenant = $1 AND r.source = 'scan' AND r.finished_at IS NOT NULL
    AND c.ahead AND c.outcome IN ('given-up', 'unreadable')`;

/** $1 tenant: finished scans of which no number is left. */
const FORGET_SCANS = `
  DELETE FROM recovery_runs AS r
  WHERE r.tenant = $1 AND r.source = 'scan' AND r.finished_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM recovery_candidates AS c WHERE c.run_id = r.id)`;

/** Numbers that one statement compares with the known ones: the next to be read. */
const COMPARED_AT_ONCE = 100;

/** $1 tenant: of the numbers that are read next, those that a notification named meanwhile. */
const CONCLUDE_KNOWN = `
  UPDATE recovery_candidates AS c SET outcome = 'known', concluded_at = clock_timestamp()
  FROM (
    SELECT run_id, order_number FROM recovery_candidates
    WHERE tenant = $1 AND outcome IS NULL ORDER BY due_at, order_number LIMIT ${COMPARED_AT_ONCE}) AS next
  WHERE c.run_id = next.run_id AND c.order_number = next.order_number
    AND EXISTS (SELECT 1 FROM orders WHERE orders.tenant = $1 AND orders.order_number = c.order_number::text)`;

/**
 * $1 tenant. For scans, and for what operators asked for: of the numbers that are due one of the newest run, so that a
 * long search stands before no number of today; else the number that comes next.
 */
const NEXT = `
  SELECT DISTINCT ON (r.source) r.source, c.run_id AS "runId", c.order_number::text AS "orderNumber", c.lookups, c.failures,
    c.ahead AND r.source = 'scan' AS "isReadOnce", EXTRACT(EPOCH FROM c.due_at - clock_timestamp())::float8 * 1000 AS "dueInMs"
  FROM recovery_runs AS r CROSS JOIN LATERAL (
    SELECT * FROM recovery_candidates WHERE run_id = r.id AND outcome IS NULL ORDER BY due_at, order_number LIMIT 1
  ) AS c
  WHERE r.tenant = $1 AND r.finished_at IS NULL
  ORDER BY r.source, c.due_at > statement_timestamp(), CASE WHEN c.due_at <= statement_timestamp() THEN r.id END DESC, c.due_at`;

/** $1 run, $2 number, $3 outcome or null, $4 milliseconds until it is read again. */
const LOOKED_UP = `
  UPDATE recovery_candidates SET lookups = lookups + 1, outcome = $3,
    concluded_at = CASE WHEN $3::text IS NULL THEN NULL ELSE clock_timestamp() END,
    due_at = clock_timestamp() + $4 * interval '1 millisecond'
  WHERE run_id = $1 AND order_number = $2`;

/** $1 run, $2 number, $3 true to give it up, $4 milliseconds until it is read again. */
const FAILED = `
  UPDATE recovery_candidates SET failures = failures + 1, outcome = CASE WHEN $3 THEN 'unreadable' END,
    concluded_at = CASE WHEN $3 THEN clock_timestamp() END,
    due_at = clock_timestamp() + $4 * interval '1 millisecond'
  WHERE run_id = $1 AND order_number = $2`;

/** $1 tenant, $2 milliseconds: one more call of the tenant may be made; none while the pause of the last one lasts. */
const TAKE_CALL = `
  INSERT INTO recovery_paces (tenant, next_call_at) VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
  ON CONFLICT (tenant) DO UPDATE SET next_call_at = excluded.next_call_at
    WHERE recovery_paces.next_call_at <= clock_timestamp()
  RETURNING tenant`;

const NEXT_CALL = `
  SELECT EXTRACT(EPOCH FROM next_call_at - clock_timestamp())::float8 * 1000 AS ms FROM recovery_paces WHERE tenant = $1`;

/** $1 tenant, $2 milliseconds. */
const PAUSE = `
  UPDATE recovery_paces SET next_call_at = clock_timestamp() + $2 * interval '1 millisecond' WHERE tenant = $1`;

const COUNT_LOOKUP = 'UPDATE recovery_runs SET lookups = lookups + 1, last_lookup_at = clock_timestamp() WHERE id = $1';

/** $1 tenant. */
const FINISH_RUNS = `
  UPDATE recovery_runs AS r SET finished_at = clock_timestamp()
  WHERE r.tenant = $1 AND r.finished_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM recovery_candidates AS c WHERE c.run_id = r.id AND c.outcome IS NULL)`;

/** $1 runs. */
const COUNTS = `
  SELECT run_id AS "runId", count(*)::float8 AS candidates,
    count(*) FILTER (WHERE outcome = 'found')::float8 AS found,
    count(*) FILTER (WHERE outcome = 'known')::float8 AS known,
    count(*) FILTER (WHERE outcome = 'given-up')::float8 AS "givenUp",
    count(*) FILTER (WHERE outcome = 'unreadable')::float8 AS unreadable,
    count(*) FILTER (WHERE outcome IS NULL AND due_at <= clock_timestamp())::float8 AS due,
    max(due_at) FILTER (WHERE outcome IS NULL AND due_at > clock_timestamp()) AS "latestDueAt"
  FROM recovery_candidates WHERE run_id = ANY ($1::bigint[]) GROUP BY run_id`;

const NO_CANDIDATES: RecoveryCounts = {
  candidates: 0,
  found: 0,
  known: 0,
  givenUp: 0,
  unreadable: 0,
  due: 0,
  latestDueAt: null,
};

/** Latest runs that are listed. */
const RUNS_SHOWN = 50;

/** The tables `recovery_runs` and `recovery_candidates`. */
@Injectable()
export class RecoveryRepository {
  constructor(private readonly database: Database) {}

  /** Begins a run over the numbers of a range that no fact names, the first read in `firstReadInMs`; returns its id. */
  async begin(
    tx: Tx,
    tenant: string,
    { from, to }: NumberRange,
    {
      source,
      newest,
      firstReadInMs,
    }: { readonly source: RecoveryRun['source']; readonly newest: number; readonly firstReadInMs: number },
  ): Promise<string> {
    const runs = this.database.repository(RecoveryRunEntity, tx);
    const { identifiers } = await runs.insert({ tenant, source, fromNumber: String(from), toNumber: String(to) });
    const id = String(identifiers[0]!['id']);
    await tx.query(ADD_CANDIDATES, [tenant, id, from, to, source === 'scan', newest, firstReadInMs]);
    await tx.query(FINISH_RUNS, [tenant]);
    return id;
  }

  /** Forgets the scans of a tenant that have finished and came to nothing, but for numbers that they gave up. */
  async forgetScans(tx: Tx, tenant: string): Promise<void> {
    await tx.query(FORGET_AHEAD, [tenant]);
    await tx.query(FORGET_SCANS, [tenant]);
  }

  /** The highest known numbers of a tenant, in falling order. */
  async highestNumbers(tx: Tx, tenant: string, limit: number): Promise<number[]> {
    const { rows } = await tx.query<{ n: number }>(HIGHEST, [tenant, limit]);
    return rows.map(({ n }) => n);
  }

  /** Takes the right to one call: 0, or the milliseconds that are left until the tenant's next one may be made. */
  async takeCall(tenant: string, pauseMs: number): Promise<number> {
    const { rows: taken } = await this.database.query(TAKE_CALL, [tenant, pauseMs]);
    if (taken.length > 0) return 0;
    const { rows } = await this.database.query<{ ms: number }>(NEXT_CALL, [tenant]);
    return Math.max(rows[0]?.ms ?? 0, 1);
  }

  /** Delays the tenant's next call, counted from now. */
  async pause(tx: Tx, tenant: string, pauseMs: number): Promise<void> {
    await tx.query(PAUSE, [tenant, pauseMs]);
  }

  /** Milliseconds since the last scan of a tenant began, by the database's clock; null where there was none. */
  async lastScanMs(tx: Tx, tenant: string): Promise<number | null> {
    const { rows } = await tx.query<{ ms: number | null }>(
      `SELECT EXTRACT(EPOCH FROM clock_timestamp() - max(started_at))::float8 * 1000 AS ms
       FROM recovery_runs WHERE tenant = $1 AND source = 'scan'`,
      [tenant],
    );
    return rows[0]?.ms ?? null;
  }

  /** The numbers that are read next, and in how many milliseconds: one of scans, one that an operator asked for. */
  async next(tenant: string): Promise<(Candidate & { readonly dueInMs: number })[]> {
    let known: number;
    do {
      const concluded = await this.database.query(CONCLUDE_KNOWN, [tenant]);
      known = concluded.rowCount ?? 0;
    } while (known === COMPARED_AT_ONCE);
    const { rows } = await this.database.query<Candidate & { dueInMs: number }>(NEXT, [tenant]);
    return rows;
  }

  /** Stores a read: its outcome, or the time of the next one. */
  async lookedUp(
    tx: Tx,
    { runId, orderNumber }: Candidate,
    end: { readonly outcome: RecoveryOutcome } | { readonly againInMs: number },
  ): Promise<void> {
    const [outcome, inMs] = 'outcome' in end ? [end.outcome, 0] : [null, end.againInMs];
    await tx.query(LOOKED_UP, [runId, orderNumber, outcome, inMs]);
    await tx.query(COUNT_LOOKUP, [runId]);
  }

  /** Stores a read that the platform failed to answer: the number is read again, or given up as unreadable. */
  async failed(tx: Tx, { runId, orderNumber }: Candidate, againInMs: number | null): Promise<void> {
    await tx.query(FAILED, [runId, orderNumber, againInMs === null, againInMs ?? 0]);
    await tx.query(COUNT_LOOKUP, [runId]);
  }

  /** Finishes the runs of a tenant that have no open number left. */
  async finishRuns(tx: Tx, tenant: string): Promise<void> {
    await tx.query(FINISH_RUNS, [tenant]);
  }

  /** The latest runs, newest first. */
  async list(tenant: string | undefined): Promise<RecoveryRun[]> {
    const where = tenant === undefined ? {} : { tenant };
    return this.#shown(
      await this.database.repository(RecoveryRunEntity).find({ where, order: { id: 'DESC' }, take: RUNS_SHOWN }),
    );
  }

  async find(id: string): Promise<RecoveryRun | null> {
    const run = await this.database.repository(RecoveryRunEntity).findOneBy({ id });
    const [shown] = run === null ? [] : await this.#shown([run]);
    return shown ?? null;
  }

  /** Numbers of a run below `before`, the highest first, at most `limit`; all outcomes where none is named. */
  async numbers(
    runId: string,
    outcome: RecoveryOutcome | undefined,
    before: string,
    limit: number,
  ): Promise<RecoveredNumber[]> {
    const where = { runId, orderNumber: LessThan(before), ...(outcome !== undefined && { outcome }) };
    const candidates = this.database.repository(RecoveryCandidateEntity);
    const found = await candidates.find({ where, order: { orderNumber: 'DESC' }, take: limit });
    return found.map(({ orderNumber, lookups, outcome: end, concludedAt }) => {
      return { id: orderNumber, orderNumber, outcome: end, lookups, concludedAt: concludedAt?.toISOString() ?? null };
    });
  }

  async #shown(runs: readonly RecoveryRunEntity[]): Promise<RecoveryRun[]> {
    if (runs.length === 0) return [];
    const ids = runs.map(({ id }) => id);
    const { rows } = await this.database.query<RecoveryCounts & { runId: string; [column: string]: unknown }>(COUNTS, [
      ids,
    ]);
    const countsOf = new Map(rows.map(({ runId, ...counts }) => [runId, counts as RecoveryCounts]));
    return runs.map(({ fromNumber, toNumber, ...run }) => {
      const counts = countsOf.get(run.id) ?? NO_CANDIDATES;
      return { ...run, from: Number(fromNumber), to: Number(toNumber), ...counts };
    });
  }
}
