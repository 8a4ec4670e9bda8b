import { waitFor } from '@gondola/local-stack/wait-for';
import { Client } from 'pg';

const LAST_ONE_LIMIT_MS = 60_000;
const OTHERS = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
const DEADLOCKS = 'SELECT deadlocks::int AS count FROM pg_stat_database WHERE datname = current_database()';

/**
 * How many deadlocks PostgreSQL has ended in this database. It waits until nobody else is connected, since a session
 * tells its part of the statistics when it likes, and at the latest at its end.
 */
export async function deadlocksIn(databaseUrl: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const counted = async (text: string): Promise<number> => {
    const { rows } = await client.query<{ count: number }>(text);
    return rows[0]?.count ?? Number.NaN;
  };
  try {
    await waitFor(async () => (await counted(OTHERS)) === 0, {
      describe: 'all other sessions of the database to end',
      timeoutMs: LAST_ONE_LIMIT_MS,
    });
    return await counted(DEADLOCKS);
  } finally {
    await client.end();
  }
}
