import { waitFor } from '@gondola/local-stack/wait-for';
import { Client, escapeIdentifier } from 'pg';

import { type Child, startChild } from '@gondola/kafka/testing/child-process';

/** Starts a worker in a process of its own, to be killed. Its connections get `name`, which `endLeases` asks for. */
export async function startVictim(main: URL, options: { readonly url: string }, name: string): Promise<Child> {
  return startChild(main, { ...options, url: namedConnections(options.url, name) });
}

/** The URL with a name by which PostgreSQL knows the connections of one process. */
export function namedConnections(url: string, name: string): string {
  const named = new URL(url);
  named.searchParams.set('application_name', name);
  return named.href;
}

/**
 * Ends the leases of a schema, or of one of its tenants, as their time would, once the named connections of the killed
 * process are gone: until then, PostgreSQL may still carry out its last statement. So no test waits for a lease, or is
 * overtaken by its end.
 */
export async function endLeases(
  { url, schema }: { readonly url: string; readonly schema: string },
  killed: string,
  tenant: string | null = null,
): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const connected = 'SELECT 1 FROM pg_stat_activity WHERE application_name = $1';
    await waitFor(async () => (await client.query(connected, [killed])).rows.length === 0, {
      describe: `the end of the connections of ${killed}`,
    });
    const leased = 'lease_until IS NOT NULL AND ($1::text IS NULL OR tenant = $1)';
    await client.query(`UPDATE ${escapeIdentifier(schema)}.lanes SET lease_until = clock_timestamp() WHERE ${leased}`, [
      tenant,
    ]);
  } finally {
    await client.end();
  }
}
