import { Client } from 'pg';

const TABLES = `SELECT quote_ident(table_name) AS name FROM information_schema.tables
  WHERE table_schema = current_schema AND table_type = 'BASE TABLE' ORDER BY 1`;

/**
 * Tables of a schema, given by the URL of a connection, with a row that contains one of the texts in any column.
 * For tests: it reads every row.
 */
export async function tablesHolding(schemaUrl: string, texts: readonly string[]): Promise<string[]> {
  const client = new Client({ connectionString: schemaUrl });
  await client.connect();
  try {
    // With this setting, ASCII text in a bytea is readable.
    await client.query(`SET bytea_output = 'escape'`);
    const { rows } = await client.query<{ name: string }>(TABLES);
    const holding: string[] = [];
    for (const { name } of rows) {
      const text = `SELECT 1 FROM ${name} AS t, unnest($1::text[]) AS sought WHERE strpos(t::text, sought) > 0 LIMIT 1`;
      if ((await client.query(text, [texts])).rows.length > 0) holding.push(name);
    }
    return holding;
  } finally {
    await client.end();
  }
}
