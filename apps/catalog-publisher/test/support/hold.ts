import { Client } from 'pg';

/** Rows or tables that a test holds, so that whoever needs them waits. */
export interface Hold {
  /** True while someone waits for it in a statement with this text; without a text, in any. */
  readonly isWaitedFor: (text?: string) => Promise<boolean>;
  readonly release: () => Promise<void>;
}

const BLOCKED = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid)) AND strpos(query, $2) > 0';

/** Holds what a statement locks, in the schema of a URL. */
export async function hold(schemaUrl: string, statement: string): Promise<Hold> {
  const [holder, watcher] = [new Client({ connectionString: schemaUrl }), new Client({ connectionString: schemaUrl })];
  await Promise.all([holder.connect(), watcher.connect()]);
  await holder.query('BEGIN');
  await holder.query(statement);
  const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return {
    isWaitedFor: async (text = '') => (await watcher.query(BLOCKED, [rows[0]!.pid, text])).rows.length > 0,
    release: async () => {
      await holder.query('COMMIT');
      await Promise.all([holder.end(), watcher.end()]);
    },
  };
}
