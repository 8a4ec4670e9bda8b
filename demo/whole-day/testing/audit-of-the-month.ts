import { waitFor } from '@gondola/local-stack/wait-for';
import { Client, escapeIdentifier } from 'pg';
import { type Gondola, schemaOf } from '../../play/gondola.ts';
import { TENANT } from '../../play/settings.ts';

interface Audited {
  /** Orders of the month. */
  readonly orders: number;
  /** Orders that differ, with their differences as JSON. */
  readonly differing: readonly string[];
}

/**
 * Audits the month of today, which the operations API refuses before its end. Second looks come at once: the shop is
 * quiet.
 */
export async function auditOfTheMonth({ stack, prefix }: Gondola): Promise<Audited> {
  const client = new Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    await client.query(`SET search_path = ${escapeIdentifier(schemaOf(prefix, 'order-command-handler'))}`);
    const month = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 'YYYY-MM'.length);
    await client.query('INSERT INTO audits (tenant, month) VALUES ($1, $2)', [TENANT, month]);
    await client.query(`INSERT INTO lanes (tenant, kind, identity, due_at) VALUES ($1, 'audit', 'months', now())`, [
      TENANT,
    ]);
    const isFinished = async () => {
      await client.query(`UPDATE audited_orders SET due_at = now() WHERE outcome IS NULL AND due_at > now()`);
      await client.query(`UPDATE lanes SET due_at = now() WHERE kind = 'audit' AND due_at > now()`);
      const { rows } = await client.query<{ state: string }>('SELECT state FROM audits');
      return rows[0]!.state === 'finished';
    };
    await waitFor(isFinished, { describe: 'the end of the audit' });
    const found = await client.query<{ n: string; outcome: string; differences: unknown }>(
      `SELECT order_number AS n, outcome, differences FROM audited_orders WHERE outcome IN ('agrees', 'differs')`,
    );
    const differing = found.rows.filter(({ outcome }) => outcome === 'differs');
    return {
      orders: found.rows.length,
      differing: differing.map(({ n, differences }) => `${n} ${JSON.stringify(differences)}`),
    };
  } finally {
    await client.end();
  }
}
