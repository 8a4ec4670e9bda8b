import { randomBytes } from 'node:crypto';
import { Client, type ClientBase, escapeLiteral, type Pool } from 'pg';
import { sqlStateOf } from './database-errors.ts';
import {
  type BehindSequence,
  schemaRefusal,
  sequencesRefusal,
  type ServerFacts,
  serverRefusal,
  sharedSessionsRefusal,
} from './installation-refusals.ts';

/** Table of TypeORM with the names of the migrations that ran. */
export const MIGRATIONS_TABLE = 'migrations';
/** SQLSTATE with which PgBouncer in statement mode answers BEGIN. */
const PROTOCOL_VIOLATION = '08P01';
/** Reads of a mark: more than a pooler that takes its sessions in turn has idle at a start. */
const MARK_READS = 8;
const SET_MARK = `SELECT set_config('gondola.mark', $1, false)`;
const READ_MARK = `SELECT current_setting('gondola.mark', true) AS mark`;
const READ_SERVER = `
  SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
    current_setting('server_encoding') AS encoding`;

const IS_USABLE = `
  SELECT has_schema_privilege(n.oid, 'USAGE') AND coalesce((
    SELECT has_table_privilege(c.oid, 'SELECT') FROM pg_class AS c
    WHERE c.relnamespace = n.oid AND c.relname = '${MIGRATIONS_TABLE}'), true) AS "isUsable"
  FROM pg_namespace AS n WHERE n.nspname = $1`;

/** Identity columns of the schema that an index finds the highest value of, with their sequences. */
const IDENTITIES = `
  SELECT format('%s.%I', c.relnamespace::regnamespace, c.relname) AS "table", quote_ident(a.attname) AS "column",
    pg_get_serial_sequence(c.oid::regclass::text, a.attname) AS sequence
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attidentity <> '' AND EXISTS (
    SELECT FROM pg_index AS i
    WHERE i.indrelid = c.oid AND i.indkey[0] = a.attnum AND i.indisvalid AND i.indpred IS NULL)
  ORDER BY 1, 2`;

/**
 * Looks at the server before the first statement of an app: its version, the encoding of its database, and whether
 * a connection has a session of its own. Throws `SettingError` if the app cannot work there.
 */
export async function lookAtServer(pool: Pool, url: string): Promise<void> {
  const one = await pool.connect();
  // The pool may be of one connection.
  const other = new Client(pool.options);
  other.on('error', () => {});
  try {
    const { rows } = await one.query<ServerFacts>(READ_SERVER);
    const refusal = serverRefusal(url, rows[0]!);
    if (refusal !== null) throw refusal;
    await other.connect();
    if (await shareSession(one, other)) throw sharedSessionsRefusal(url);
  } finally {
    // A pooler in transaction mode would leave the mark in somebody else's session.
    one.release(true);
    await other.end();
  }
}

/**
 * True if two connections use one session, or one uses several, as behind a pooler in transaction mode. That gives a
 * connection the session that was used last, or each in turn.
 */
async function shareSession(one: ClientBase, other: ClientBase): Promise<boolean> {
  const mark = randomBytes(8).toString('hex');
  await one.query(SET_MARK, [mark]);
  if (!(await begins(other))) return true;
  const seen = await markOf(other);
  const own = await markOf(one);
  await other.query('ROLLBACK');
  if (seen === mark || own !== mark) return true;
  for (let reads = 0; reads < MARK_READS; reads += 1) if ((await markOf(one)) !== mark) return true;
  return false;
}

/** False if a pooler allows no transaction, because it gives each statement another session. */
async function begins(client: ClientBase): Promise<boolean> {
  try {
    await client.query('BEGIN');
    return true;
  } catch (error) {
    if (sqlStateOf(error) === PROTOCOL_VIOLATION) return false;
    throw error;
  }
}

async function markOf(client: ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ mark: string | null }>(READ_MARK);
  return rows[0]!.mark;
}

/**
 * Looks whether the role may use the schema, if there is one: TypeORM sees no table that it may not read, and would
 * call its migrations pending. Throws `SettingError`.
 */
export async function lookAtSchema(pool: Pool, url: string, schema: string): Promise<void> {
  const { rows } = await pool.query<{ isUsable: boolean }>(IS_USABLE, [schema]);
  if (rows.some(({ isUsable }) => !isUsable)) throw schemaRefusal(url, schema);
}

/**
 * Looks whether each sequence of the migrated schema stands where its rows do. Logical replication and a copy of rows
 * leave sequences at their beginning. Throws `SettingError`.
 */
export async function lookAtSequences(pool: Pool, url: string): Promise<void> {
  const identities = await pool.query<Identity>(IDENTITIES);
  if (identities.rows.length === 0) return;
  // In one statement: an id that its snapshot shows was drawn before the sequence is read.
  const { rows } = await pool.query<BehindSequence>(identities.rows.map(behindSequence).join(' UNION ALL '));
  const [first, ...others] = rows;
  if (first !== undefined) throw sequencesRefusal(url, [first, ...others]);
}

interface Identity {
  readonly table: string;
  readonly column: string;
  readonly sequence: string;
}

function behindSequence({ table, column, sequence }: Identity): string {
  const literals = [table, column, sequence].map((name) => escapeLiteral(name));
  return `
    SELECT ${literals[0]} AS "table", ${literals[1]} AS "column", ${literals[2]} AS sequence, highest::text
    FROM (SELECT max(${column}) AS highest FROM ${table}) AS stored, ${sequence} AS drawn
    WHERE highest > drawn.last_value OR (highest = drawn.last_value AND NOT drawn.is_called)`;
}
