import { waitFor } from '@gondola/local-stack/wait-for';
import { Client } from 'pg';

/** The URL with a name by which PostgreSQL knows the connections of one process. */
export function namedConnections(url: string, name: string): string {
  const named = new URL(url);
  named.searchParams.set('application_name', name);
  return named.href;
}

/**
 * Ends the leases of a schema, as their time would, once the connections of the killed process are gone: until
 * then, PostgreSQL may still carry out its last statement. No test waits for a lease, or is overtaken by its end.
 */
export async function endLeases(schemaUrl: string, killed: string): Promise<void> {
  const client = new Client({ connectionString: schemaUrl });
  await client.connect();
  try {
    const connected = 'SELECT 1 FROM pg_stat_activity WHERE application_name = $1';
    await waitFor(async () => (await client.query(connected, [killed])).rows.length === 0, {
      describe: `the end of the connections of ${killed}`,
    });
    await client.query('UPDATE lanes SET lease_until = clock_timestamp() WHERE lease_until IS NOT NULL');
  } finally {
    await client.end();
  }
}
