import { Inject, Injectable } from '@nestjs/common';

import type { LanesConfig } from '@gondola/service-kit/config/lanes-config';
import { Database } from '@gondola/service-kit/database/database';
import { UnsweptRows } from '@gondola/service-kit/run/unswept-rows';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';

import { RepeatingTask, SWEEP_MS } from '@gondola/service-kit/run/repeating-task';
import { deleteUnusedLanes } from '../lanes/unused-lanes.ts';
import { DELETE_CONCLUDED, OLDEST_CONCLUDED, PAGE_OF_COMMANDS, RETENTION_STARTS } from './commands.sql.ts';

const PAGE = 1_000;

/** Deletes what belongs to commands, before these. `before` as for the commands: what was concluded earlier goes. */
export type SweepStep = (before: Date) => Promise<void>;

/**
 * Deletes commands every hour that were concluded before the retention (`COMMAND_RETENTION_MS`). Until then a repeat
 * of one is a repeat, so the retention is longer than topics have their records.
 *
 *   oldest page of commands, along the primary key ──▶ concluded long ago, and all of its load ──▶ deleted
 *     ▲                                                 └─ else it stays
 *     └─ the next one, until a page has nothing that is older than the retention
 *
 * Lanes of which nothing is left go with them.
 *
 * Gives: what is open stays; a load is counted whole as long as it is there. Tested in command-sweep.int.spec.ts.
 */
@Injectable()
export class CommandSweep extends RepeatingTask {
  readonly #steps: SweepStep[] = [];
  readonly #retentionMs: number;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) { times }: { readonly times: Pick<LanesConfig, 'commandRetentionMs'> },
    private readonly unswept: UnsweptRows,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ name: 'command sweep', everyMs: SWEEP_MS, run: () => this.sweep(), logger });
    this.#retentionMs = times.commandRetentionMs;
    this.watch('commands', OLDEST_CONCLUDED);
  }

  /** Adds what is deleted with commands. For `onModuleInit`. */
  beforehand(step: SweepStep): void {
    this.#steps.push(step);
  }

  /** Shows the oldest row of a table that the sweep takes, by `UnsweptRows`; $1 of `query` is the retention in ms. */
  watch(table: string, query: string): void {
    this.unswept.watch(table, query, [this.#retentionMs]);
  }

  /** One run. */
  async sweep(): Promise<void> {
    const { rows } = await this.database.query<{ before: Date }>(RETENTION_STARTS, [this.#retentionMs]);
    const { before } = rows[0]!;
    for (const step of this.#steps) await step(before);
    await this.#deleteConcluded(before);
    await deleteUnusedLanes(this.database);
  }

  async #deleteConcluded(before: Date): Promise<void> {
    for (let after = '0'; ;) {
      const page = await this.#page(after);
      if (page === null || page.oldest >= before) return;
      const longBefore = new Date(before.getTime() - this.#retentionMs);
      await this.database.query(DELETE_CONCLUDED, [after, page.last, before, longBefore]);
      after = page.last;
    }
  }

  /** Null: no command has a later id. */
  async #page(after: string): Promise<{ readonly last: string; readonly oldest: Date } | null> {
    const { rows } = await this.database.query<{ last: string | null; oldest: Date }>(PAGE_OF_COMMANDS, [after, PAGE]);
    const { last, oldest } = rows[0]!;
    return last === null ? null : { last, oldest };
  }
}
