import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';

import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';

import type { LaneKey } from '../lanes/lanes.ts';
import type { Queryable } from '../store/queryable.ts';
import { COUNT_LOAD, ENDED_OF_LOAD, GOING_ON, LAST_OF_LOADS, OPEN_OF_LOADS } from './commands.sql.ts';

/** Most loads whose counts are remembered. */
const MOST_REMEMBERED = 1_000;

/** State of a load's command: open and never sent, open and waiting for references, sent, or its outcome. */
export type LoadState = 'queued' | 'waiting' | 'sent' | FinalOutcome;

/** Counts of a load's commands; each command is counted once. */
export interface LoadCount {
  readonly states: Readonly<Partial<Record<LoadState, number>>>;
  /** Commands concluded within the last minute, by the database's clock. */
  readonly lastMinute: number;
  readonly lastFinishedAt: Date | null;
}

/** The name of a load, unique per tenant. */
export interface LoadKey {
  readonly tenant: string;
  readonly loadId: string;
}

/** A command of a load that is concluded. */
export interface EndedOfLoad extends Pick<LaneKey, 'kind' | 'identity'> {
  readonly commandId: string;
  readonly outcome: FinalOutcome;
}

/** Null for a load without commands. */
type LastOfLoad = { finishedAt: string | null; isOver: boolean | null };
type CountRow = Pick<LoadCount, 'lastMinute' | 'lastFinishedAt'> & { state: LoadState; commands: number };

/**
 * Counts the commands of a load from their rows, so that no counter has to be stored: each command is counted once,
 * in its present state, whatever was killed or repeated on whichever replica. The counts of a load that is over are
 * remembered: they hold as long as the same command is its last. Tested in load-counts.int.spec.ts.
 */
@Injectable()
export class LoadCounts {
  readonly #over = new Map<string, { readonly last: string; readonly count: LoadCount }>();

  /**
   * Counts of each load, in the order of `loads`. From one snapshot of the database, each command is in exactly one of
   * the numbers.
   */
  async count(db: Queryable, loads: readonly LoadKey[]): Promise<LoadCount[]> {
    const keys = [loads.map(({ tenant }) => tenant), loads.map(({ loadId }) => loadId)];
    const { rows: lasts } = await db.query<LastOfLoad>(LAST_OF_LOADS, keys);
    const counts: LoadCount[] = [];
    for (const [index, load] of loads.entries()) counts.push(await this.#known(db, load, lasts[index]!));
    return counts;
  }

  async #known(
    db: Queryable,
    { tenant, loadId }: LoadKey,
    { finishedAt: last, isOver }: LastOfLoad,
  ): Promise<LoadCount> {
    const key = `${tenant}\n${loadId}`;
    const known = this.#over.get(key);
    if (known !== undefined && known.last === last) return known.count;
    const count = await this.#count(db, tenant, loadId);
    if (last !== null && isOver === true) {
      if (this.#over.size >= MOST_REMEMBERED) this.#over.clear();
      this.#over.set(key, { last, count });
    }
    return count;
  }

  async #count(db: Queryable, tenant: string, loadId: string): Promise<LoadCount> {
    const { rows } = await db.query<CountRow>(COUNT_LOAD, [tenant, loadId]);
    const ends = rows.flatMap(({ lastFinishedAt: at }) => at?.getTime() ?? []);
    return {
      states: Object.fromEntries(rows.map(({ state, commands }) => [state, commands])),
      lastMinute: rows.reduce((sum, { lastMinute: ended }) => sum + ended, 0),
      lastFinishedAt: ends.length === 0 ? null : new Date(Math.max(...ends)),
    };
  }

  /** Number of open commands of each load, in the order of `loads`; `atMost` means that many or more. */
  async open(db: Queryable, loads: readonly LoadKey[], atMost: number): Promise<number[]> {
    if (loads.length === 0) return [];
    const { rows } = await db.query<LoadKey & { open: number }>(OPEN_OF_LOADS, [
      loads.map(({ tenant }) => tenant),
      loads.map(({ loadId }) => loadId),
      atMost,
    ]);
    const byLoad = new Map(rows.map(({ tenant, loadId, open }) => [`${tenant}\n${loadId}`, open]));
    return loads.map(({ tenant, loadId }) => byLoad.get(`${tenant}\n${loadId}`)!);
  }

  /** For each load, true if one of its commands is open or was concluded at or after a time. */
  async goOn(db: Queryable, loads: readonly LoadKey[], since: Date): Promise<boolean[]> {
    if (loads.length === 0) return [];
    const keys = [loads.map(({ tenant }) => tenant), loads.map(({ loadId }) => loadId)];
    const { rows } = await db.query<{ goesOn: boolean }>(GOING_ON, [...keys, since]);
    return rows.map(({ goesOn }) => goesOn);
  }

  /** The newest commands of a load with one of these outcomes, for operators. */
  async ended(
    db: Queryable,
    { tenant, loadId }: LoadKey,
    outcomes: readonly FinalOutcome[],
    limit: number,
  ): Promise<EndedOfLoad[]> {
    const { rows } = await db.query<EndedOfLoad & QueryResultRow>(ENDED_OF_LOAD, [tenant, loadId, outcomes, limit]);
    return rows;
  }
}
