import { waitFor } from '@gondola/local-stack/wait-for';
import { Client } from 'pg';

const OTHERS = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
const DEADLOCKS = 'SELECT deadlocks::int AS count FROM pg_stat_database WHERE datname = current_database()';

/**
 * Number of deadlocks that PostgreSQL resolved in this database. Waits until no other session is connected, because
 * a session reports its statistics late, at the latest when it ends.
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
    });
    return await counted(DEADLOCKS);
  } finally {
    await client.end();
  }
}
