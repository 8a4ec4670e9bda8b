import { Injectable } from '@nestjs/common';

import type { FinalOutcome } from '@gondola/shared/results/outcomes';

import type { LaneKey } from '../lanes/lanes.ts';
import type { Queryable } from '../store/queryable.ts';
import { COUNT_LOAD, ENDED_OF_LOAD, OPEN_OF_LOADS } from './commands.sql.ts';

/** Where a command of a load stands: open and never sent, open and waiting for references, sent, or its outcome. */
export type LoadState = 'queued' | 'waiting' | 'sent' | FinalOutcome;

/** The commands of one load, each counted once. */
export interface LoadCount {
  readonly states: Readonly<Partial<Record<LoadState, number>>>;
  /** Ended within the last minute, by the database's clock. */
  readonly lastMinute: number;
  readonly lastFinishedAt: Date | null;
}

/** The name of a load, unique per tenant. */
export interface LoadKey {
  readonly tenant: string;
  readonly loadId: string;
}

/** A command of a load that has ended. */
export interface EndedOfLoad extends Pick<LaneKey, 'kind' | 'identity'> {
  readonly commandId: string;
  readonly outcome: FinalOutcome;
}

interface CountRow {
  state: LoadState;
  commands: number;
  last_minute: number;
  last_finished_at: Date | null;
}

interface EndedRow {
  kind: string;
  identity: string;
  command_id: string;
  outcome: FinalOutcome;
}

/**
 * Counts the commands of a load from their rows, so that no count has to be stored beside them: a command is counted
 * once, in the state that it is in, whatever was killed, repeated or done by which replica. Tested in
 * load-counts.int.spec.ts.
 */
@Injectable()
export class LoadCounts {
  /** All in one state of the database: each command is in exactly one of the numbers. */
  async count(db: Queryable, { tenant, loadId }: LoadKey): Promise<LoadCount> {
    const { rows } = await db.query<CountRow & { [column: string]: unknown }>(COUNT_LOAD, [tenant, loadId]);
    const ends = rows.flatMap(({ last_finished_at: at }) => at?.getTime() ?? []);
    return {
      states: Object.fromEntries(rows.map(({ state, commands }) => [state, commands])),
      lastMinute: rows.reduce((sum, { last_minute: ended }) => sum + ended, 0),
      lastFinishedAt: ends.length === 0 ? null : new Date(Math.max(...ends)),
    };
  }

  /** How many commands of loads are open, in their order; `atMost` stands for that many or more. */
  async open(db: Queryable, loads: readonly LoadKey[], atMost: number): Promise<number[]> {
    if (loads.length === 0) return [];
    const { rows } = await db.query<{ tenant: string; load_id: string; open: number }>(OPEN_OF_LOADS, [
      loads.map(({ tenant }) => tenant),
      loads.map(({ loadId }) => loadId),
      atMost,
    ]);
    const byLoad = new Map(rows.map(({ tenant, load_id, open }) => [`${tenant}\n${load_id}`, open]));
    return loads.map(({ tenant, loadId }) => byLoad.get(`${tenant}\n${loadId}`)!);
  }

  /** The newest commands of a load that ended with one of these outcomes, for operators. */
  async ended(
    db: Queryable,
    { tenant, loadId }: LoadKey,
    outcomes: readonly FinalOutcome[],
    limit: number,
  ): Promise<EndedOfLoad[]> {
    const { rows } = await db.query<EndedRow & { [column: string]: unknown }>(ENDED_OF_LOAD, [
      tenant,
      loadId,
      outcomes,
      limit,
    ]);
    return rows.map(({ kind, identity, command_id: commandId, outcome }) => ({ kind, identity, commandId, outcome }));
  }
}
