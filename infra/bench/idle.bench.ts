import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { type BenchApp, cpuSeconds, startBenchApp } from './bench-app.ts';
import { openRoom } from './bench-room.ts';
import { NO_RECOVERY } from './order-messages.ts';

const SETTLED_MS = 10_000;
const WATCHED_MS = 30_000;
const MOST_STATEMENTS = 5;
const MOST_OF_A_CORE = 0.01;
const APPS = ['webhook-ingest', 'order-command-handler', 'catalog-publisher', 'file-gateway'] as const;

/**
 * Statements and processor time a second of each app that has nothing to do, one app at a time. PostgreSQL counts
 * transactions, and each statement outside of one counts as one. Shown, never checked.
 */
export const idleBench: Bench = {
  name: 'idle',
  run: async (servers, say) => {
    const room = await openRoom(servers, []);
    const transactions = async (): Promise<number> => {
      const { rows } = await room.database.query<{ count: string }>(
        'SELECT pg_stat_clear_snapshot(), xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
      );
      return Number(rows[0]?.count);
    };
    const watched = async (app: BenchApp | null) => {
      await delay(SETTLED_MS);
      const [countBefore, cpuBefore] = [await transactions(), app === null ? 0 : await cpuSeconds(app)];
      await delay(WATCHED_MS);
      const [countAfter, cpuAfter] = [await transactions(), app === null ? 0 : await cpuSeconds(app)];
      const seconds = WATCHED_MS / 1_000;
      return { statements: (countAfter - countBefore) / seconds, cores: (cpuAfter - cpuBefore) / seconds };
    };
    try {
      const { statements: own } = await watched(null);
      const found = [];
      for (const app of APPS) {
        const tenant = app === 'order-command-handler' ? { recovery: NO_RECOVERY } : {};
        const child = await startBenchApp(servers, { app, tenant });
        const { statements, cores } = await watched(child);
        await child.stop();
        found.push({ statements: statements - own, cores });
        const share = (100 * cores).toFixed(2);
        say(`${app.padEnd(24)} ${(statements - own).toFixed(1)} statements a second, ${share} % of a core`);
      }
      const statements = Math.max(...found.map((each) => each.statements));
      const cores = Math.max(...found.map((each) => each.cores));
      const shown = { target: 1, atLeast: null };
      return [
        { what: `${MOST_STATEMENTS} a second : statements`, measured: MOST_STATEMENTS / statements, ...shown },
        { what: `${100 * MOST_OF_A_CORE} % of a core : processor`, measured: MOST_OF_A_CORE / cores, ...shown },
      ];
    } finally {
      await room.close();
    }
  },
};
