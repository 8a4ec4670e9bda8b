import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '@gondola/service-kit/database/database';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Inject, Injectable } from '@nestjs/common';
import type { SandboxConfig } from '../config.ts';

const REMOVED_AT_ONCE = 1_000;

/** Entries of one kind, of which the newest remain. */
interface History {
  readonly table: string;
  /** Column that rises with each entry. */
  readonly id: string;
  /** Condition of a finished entry. */
  readonly ended: string;
  /** True if the attempts of an entry are removed with it. */
  readonly attempts?: boolean;
}

const HISTORIES: readonly History[] = [
  { table: 'operations', id: 'seq', ended: `state <> 'waiting'` },
  { table: 'rejections', id: 'id', ended: 'true' },
  { table: 'deliveries', id: 'id', ended: `state IN ('delivered', 'lost')`, attempts: true },
  { table: 'deliveries', id: 'id', ended: `state = 'dead'`, attempts: true },
];

/** Removes old operations and notifications. Tested in test/history.e2e.spec.ts. */
@Injectable()
export class HistorySweep implements Startable {
  readonly name = 'history';
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: SandboxConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      try {
        await this.sweep();
      } catch (err) {
        this.logger.warn({ err }, 'Old operations and notifications could not be removed; the removal is tried again');
      }
      await delay(this.config.settings.historySweepMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Removes finished entries, oldest first, so that a limited number of each kind remains. */
  private async sweep(): Promise<void> {
    for (const history of HISTORIES) {
      const oldest = await this.oldestKept(history);
      if (oldest !== undefined) await this.removeBefore(oldest, history);
    }
  }

  /** Id of the oldest entry that remains; undefined if there are not too many. */
  private async oldestKept({ table, id, ended }: History): Promise<string | undefined> {
    const { rows } = await this.database.query<{ id: string }>(
      `SELECT ${id} AS id FROM ${table} WHERE ${ended} ORDER BY ${id} DESC OFFSET $1 - 1 LIMIT 1`,
      [this.config.settings.historyKept],
    );
    return rows[0]?.id;
  }

  /** Each step is a transaction of its own, so that none takes long, however many entries have accumulated. */
  private async removeBefore(oldest: string, { table, id, ended, attempts }: History): Promise<void> {
    const step = `DELETE FROM ${table} WHERE ${id} IN (
      SELECT ${id} FROM ${table} WHERE ${ended} AND ${id} < $1 ORDER BY ${id} LIMIT ${REMOVED_AT_ONCE})`;
    const text = attempts
      ? `WITH gone AS (${step} RETURNING ${id}), attempts AS (
           DELETE FROM delivery_attempts a USING gone WHERE a.delivery_id = gone.id
         ) SELECT FROM gone`
      : step;
    let removed: number | null = REMOVED_AT_ONCE;
    while (removed === REMOVED_AT_ONCE && !this.stopped.signal.aborted) {
      removed = await this.database.transaction(async (tx) => {
        // Locks in the same order as a reset.
        if (attempts) await tx.query('LOCK TABLE deliveries, delivery_attempts IN ROW EXCLUSIVE MODE');
        return (await tx.query(text, [oldest])).rowCount;
      });
    }
  }
}
