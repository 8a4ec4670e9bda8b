import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { MINUTE_MS } from '@gondola/shared/durations';
import { collectedGauge } from '../metrics/collected-gauge.ts';
import { Clock } from './clock.ts';
import { Database } from '../database/database.ts';

interface SweptTable {
  readonly table: string;
  readonly query: string;
  readonly values: readonly unknown[];
}

const READ_EVERY_MS = 10 * MINUTE_MS;
const MS_PER_SECOND = 1_000;

/**
 * Shows for each table that a sweep keeps small how long its oldest row has been due: a sweep that runs, but leaves
 * rows, is seen by nothing else. The rows are read every 10 minutes, beside the scrape and not during it; in between,
 * and while the database does not answer, what was due goes on to age. Tested in unswept-rows.int.spec.ts.
 */
@Injectable()
export class UnsweptRows {
  readonly #tables: SweptTable[] = [];
  /** Times at which the oldest rows had to go, in milliseconds since 1970; null without rows. */
  readonly #dueAt = new Map<SweptTable, number | null>();
  #readAt = -Infinity;
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, registry: Registry, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    const name = 'gondola_oldest_unswept_age_seconds';
    const help = 'Seconds since the oldest row of a table had to be deleted, 0 without such a row';
    collectedGauge(registry, { name, help, labelNames: ['table'] }, async () => {
      if (clock.now() - this.#readAt >= READ_EVERY_MS) void this.read();
      return this.#samples();
    });
  }

  /**
   * Adds a table, or a part of one. For the constructor of its sweep.
   *
   * @param query selects as `due` the time at which the oldest row has to be gone, by an index; null without rows
   */
  watch(table: string, query: string, values: readonly unknown[] = []): void {
    this.#tables.push({ table, query, values });
  }

  /** Reads the oldest rows. Never throws: what cannot be read stays as it was. */
  async read(): Promise<void> {
    this.#readAt = this.#clock.now();
    for (const swept of this.#tables) {
      try {
        const { rows } = await this.#database.query<{ due: Date | null }>(swept.query, [...swept.values]);
        this.#dueAt.set(swept, rows[0]?.due?.getTime() ?? null);
      } catch {
        this.#readAt = -Infinity;
        return;
      }
    }
  }

  #samples(): { labels: { table: string }; value: number }[] {
    const now = this.#clock.now();
    const ages = new Map<string, number>();
    for (const [{ table }, dueAt] of this.#dueAt) {
      const age = dueAt === null ? 0 : (now - dueAt) / MS_PER_SECOND;
      ages.set(table, Math.max(age, ages.get(table) ?? 0));
    }
    return [...ages].map(([table, value]) => ({ labels: { table }, value }));
  }
}
