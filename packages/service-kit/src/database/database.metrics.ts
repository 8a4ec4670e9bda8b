import { Counter, Registry } from 'prom-client';
import { collectedGauge } from '../metrics/collected-gauge.ts';
import type { Database } from './database.ts';

const STATES = ['used', 'idle', 'waiting'] as const;
const MS_PER_SECOND = 1_000;

/** Shows the use of the app's connections to PostgreSQL. */
export function registerDatabaseMetrics(registry: Registry, database: Pick<Database, 'pools' | 'waitedMs'>): void {
  const connections = {
    name: 'gondola_database_connections',
    help: 'Connections of this process to PostgreSQL that are used or idle, and work that waits for one',
    labelNames: ['pool', 'state'],
  };
  collectedGauge(registry, connections, async () =>
    database
      .pools()
      .flatMap(({ pool, ...use }) => STATES.map((state) => ({ labels: { pool, state }, value: use[state] }))),
  );
  const waited: Counter = new Counter({
    name: 'gondola_database_wait_seconds_total',
    help: 'Seconds that statements and transactions have waited for a connection, taken together',
    registers: [registry],
    collect: () => {
      waited.reset();
      waited.inc(database.waitedMs() / MS_PER_SECOND);
    },
  });
}
