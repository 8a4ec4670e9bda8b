import { Client } from 'pg';

/** Tables of a schema with the columns that can be written, in their order. */
const TABLES = `
  SELECT table_name AS name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS columns
  FROM information_schema.columns WHERE table_schema = $1 AND is_generated = 'NEVER'
  GROUP BY table_name ORDER BY 1`;

type Table = { readonly name: string; readonly columns: string };

/**
 * The rows and sequences of some schemas at one moment, as `pg_dump` saves them; the returned function restores them.
 * Nobody else uses the schemas meanwhile.
 */
export async function snapshot(databaseUrl: string, schemas: readonly string[]): Promise<() => Promise<void>> {
  const within = async (work: (client: Client, schema: string, tables: readonly Table[]) => Promise<void>) => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      for (const schema of schemas) {
        await work(client, schema, (await client.query<Table>(TABLES, [schema])).rows);
      }
    } finally {
      await client.end();
    }
  };
  const sequences = new Map<string, string>();
  await within(async (client, schema, tables) => {
    await client.query(`CREATE SCHEMA ${schema}_saved`);
    for (const { name } of tables)
      await client.query(`CREATE TABLE ${schema}_saved.${name} AS TABLE ${schema}.${name}`);
    const { rows } = await client.query<{ name: string; value: string | null }>(
      'SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = $1',
      [schema],
    );
    for (const { name, value } of rows) if (value !== null) sequences.set(`${schema}.${name}`, value);
  });
  return async () => {
    await within(async (client, schema, tables) => {
      // Foreign keys are not checked row by row.
      await client.query('SET session_replication_role = replica');
      await client.query(`TRUNCATE ${tables.map(({ name }) => `${schema}.${name}`).join(', ')} RESTART IDENTITY`);
      for (const { name, columns } of tables) {
        await client.query(
          `INSERT INTO ${schema}.${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${schema}_saved.${name}`,
        );
      }
      await client.query(`DROP SCHEMA ${schema}_saved CASCADE`);
      for (const [name, value] of sequences) {
        if (name.startsWith(`${schema}.`)) await client.query('SELECT setval($1, $2)', [name, value]);
      }
    });
  };
}
