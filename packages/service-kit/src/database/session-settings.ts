/** Settings of a session that the product relies on, by PostgreSQL's names and as `pg_settings` shows them. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * The transaction of a dead client would hold its row locks until TCP notices; the server ends it after this time.
 */
const IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * Every setting by which a database, a role or a server could change what the product reads, writes or waits for.
 * Each is asked for in each session, whatever its default is.
 */
export function sessionSettings(schema: string, queryTimeoutMs: number): SessionSettings {
  return {
    search_path: schema,
    // Statements that wait for a lock must see what its holder committed.
    default_transaction_isolation: 'read committed',
    // The driver reads values as these write them, and no others.
    client_encoding: 'UTF8',
    DateStyle: 'ISO, YMD',
    TimeZone: 'UTC',
    bytea_output: 'hex',
    extra_float_digits: '1',
    // The server reads texts and arrays as the driver writes them.
    standard_conforming_strings: 'on',
    array_nulls: 'on',
    // Shorter than our own time-out: the server then ends a statement that is merely slow, and the connection
    // survives.
    statement_timeout: String(Math.ceil(queryTimeoutMs * 0.9)),
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_MS),
    lock_timeout: '0',
    idle_session_timeout: '0',
    transaction_timeout: '0',
    // Where an index begins with the columns of an order, PostgreSQL supposes that little is left to sort: it read and
    // sorted all lanes of a kind at each claim, rather than follow the index with the whole order.
    enable_incremental_sort: 'off',
  };
}

/**
 * Sets everything of $1 (names) to $2 (values), and leaves out names that the server does not know. A commit waits
 * for the server's disk at least, for an acknowledged record must survive a crash.
 */
export const ASK_SESSION = `
  SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS asked (name, value)
  WHERE current_setting(name, true) IS NOT NULL
  UNION ALL
  SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') = 'off'`;

/** Reads what the session has: a row for each setting with a name of $1 that the server knows. */
export const READ_SESSION = `
  SELECT name, setting FROM pg_settings WHERE name = ANY ($1::text[])`;

/** Names of the settings that are not as asked for, in the order of `asked`. */
export function deviatingSettings(
  asked: SessionSettings,
  rows: readonly { readonly name: string; readonly setting: string }[],
): string[] {
  const found = new Map(rows.map(({ name, setting }) => [name, setting]));
  return Object.entries(asked)
    .filter(([name, value]) => found.has(name) && found.get(name) !== value)
    .map(([name]) => name);
}
