import { type EndedOfLoad, LoadCounts, type LoadKey } from '@gondola/lanes/commands/load-counts';
import { Database } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import { type ShownLoad, shownLoad } from './load-progress.ts';
import { LoadsRepository } from './loads.repository.ts';

/** A load with the latest of its records that were not applied. */
export interface LoadWithFailures extends ShownLoad {
  readonly notApplied: readonly EndedOfLoad[];
}

const NOT_APPLIED = ['refused', 'invalid', 'unconfirmed'] as const;
const NOT_APPLIED_SHOWN = 50;

/** Progress of loads, counted from the rows of their records at each request. */
@Injectable()
export class ShowLoads {
  constructor(
    private readonly database: Database,
    private readonly loads: LoadsRepository,
    private readonly counts: LoadCounts,
    private readonly clock: Clock,
  ) {}

  /** Null for an unknown load. */
  async one(key: LoadKey): Promise<LoadWithFailures | null> {
    const [counted] = await this.loads.counted([key]);
    if (counted === undefined) return null;
    const notApplied = await this.counts.ended(this.database, key, NOT_APPLIED, NOT_APPLIED_SHOWN);
    return { ...shownLoad(counted, this.clock.now()), notApplied };
  }

  async list(tenant: string | null, before: string, limit: number): Promise<ShownLoad[]> {
    return this.#shown(await this.loads.list(tenant, before, limit));
  }

  /** The newest loads with open records. Concluded records are not counted for this. */
  async running(among: number): Promise<ShownLoad[]> {
    const newest = await this.loads.list(null, NEWEST, among);
    const open = await this.counts.open(this.database, newest, 1);
    const unqueued = await this.loads.unqueued(this.database, newest);
    const running = newest.filter(({ source, expected, taken }, index) => {
      const isUntaken = source === 'file' && taken < (expected ?? 0);
      return open[index]! > 0 || unqueued[index]! > 0 || isUntaken;
    });
    return this.#shown(running);
  }

  async #shown(loads: readonly LoadKey[]): Promise<ShownLoad[]> {
    const counted = await this.loads.counted(loads);
    return counted.map((each) => shownLoad(each, this.clock.now()));
  }
}

/** Above every id: PostgreSQL's largest bigint. */
const NEWEST = '9223372036854775807';
