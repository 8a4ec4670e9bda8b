import { readdir, readFile } from 'node:fs/promises';
import { Client } from 'pg';
import type { Database } from '@gondola/service-kit/database/database';
import type { BenchStack } from './bench.ts';

/** Ticks of Linux' processor times a second. */
const TICKS = 100;
const MS_PER_SECOND = 1_000;
const KILOBYTE = 1_024;
const SHOWN_CHARACTERS = 100;

/** Cost of all work since the start: processor milliseconds by process, and what PostgreSQL has written. */
export interface Usage {
  readonly appMs: number;
  readonly postgresMs: number;
  readonly kafkaMs: number;
  /** Bytes of its write-ahead log. */
  readonly walBytes: number;
  /** Rows inserted, updated and deleted. */
  readonly rows: number;
  /** Statements, BEGIN and COMMIT among them; 0 unless `countStatements` was called. */
  readonly statements: number;
}

/** Restarts PostgreSQL with its extension that counts statements. For the begin of a bench. */
export async function countStatements({ postgres, databaseUrl }: BenchStack): Promise<void> {
  const run = async (text: string): Promise<void> => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(text);
    await client.end();
  };
  await run(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`);
  await postgres?.restart();
  await run(`CREATE EXTENSION pg_stat_statements`);
}

const WRITTEN = `
  SELECT pg_stat_clear_snapshot(), pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS "walBytes",
    (SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::float8 FROM pg_stat_all_tables) AS rows,
    to_regclass('public.pg_stat_statements') IS NOT NULL AS "areCounted"`;
const STATEMENTS = 'SELECT sum(calls)::float8 AS statements FROM public.pg_stat_statements';

/** Reads the usage of an app and of the servers that it runs on. */
export async function usageOf(pid: number, { kafka, postgres }: BenchStack, database: Database): Promise<Usage> {
  const [written] = (await database.query<{ walBytes: number; rows: number; areCounted: boolean }>(WRITTEN)).rows;
  const counted = written!.areCounted ? (await database.query<{ statements: number }>(STATEMENTS)).rows : [];
  const processes = await allProcesses();
  const sum = (of: (each: Process) => boolean): number =>
    processes.filter(of).reduce((total, each) => total + each.ms, 0);
  return {
    appMs: sum((each) => each.pid === pid),
    // A backend that has ended is in the time of the postmaster's children.
    postgresMs: sum((each) => each.pid === postgres?.pid || each.parent === postgres?.pid),
    kafkaMs: sum((each) => each.pid === kafka?.pid),
    walBytes: written!.walBytes,
    rows: written!.rows,
    statements: counted[0]?.statements ?? 0,
  };
}

/** How often each statement was executed, the most frequent first; for `countStatements`. */
export async function statementsOf(database: Database): Promise<ReadonlyMap<string, number>> {
  const text = `SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), ${SHOWN_CHARACTERS}) AS query, sum(calls)::float8 AS calls
    FROM public.pg_stat_statements GROUP BY 1 ORDER BY 2 DESC`;
  const { rows } = await database.query<{ query: string; calls: number }>(text);
  return new Map(rows.map(({ query, calls }) => [query, calls]));
}

export function between(before: Usage, after: Usage): Usage {
  const difference = (key: keyof Usage) => [key, after[key] - before[key]] as const;
  return Object.fromEntries((Object.keys(after) as (keyof Usage)[]).map(difference)) as unknown as Usage;
}

/** One line: the cost of each of `count` pieces of work. */
export function costOf(used: Usage, count: number): string {
  const each = (value: number, digits = 1): string => (value / count).toFixed(digits);
  const { appMs, postgresMs, kafkaMs, walBytes, rows, statements } = used;
  const processor = `processor ms: app ${each(appMs, 2)}, PostgreSQL ${each(postgresMs, 2)}, Kafka ${each(kafkaMs, 2)}`;
  const written = `${each(walBytes / KILOBYTE)} kB of WAL, ${each(rows)} rows`;
  return [processor, written, ...(statements > 0 ? [`${each(statements)} statements`] : [])].join('; ');
}

/**
 * Processor time in milliseconds of each named group of processes since their start, with that of their children, such
 * as PostgreSQL's, unless these are in a group of their own.
 */
export async function processorMs<Name extends string>(
  groups: Readonly<Record<Name, readonly (number | undefined)[]>>,
): Promise<Record<Name, number>> {
  const processes = await allProcesses();
  const named = Object.values<readonly (number | undefined)[]>(groups).flat();
  const sums = Object.entries<readonly (number | undefined)[]>(groups).map(([name, pids]) => {
    const its = processes.filter(({ pid, parent }) => pids.includes(named.includes(pid) ? pid : parent));
    return [name, its.reduce((sum, { ms }) => sum + ms, 0)];
  });
  return Object.fromEntries(sums) as Record<Name, number>;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly ms: number;
}

/** Processor time of every process, with that of its ended children. */
async function allProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(pids.map(processOf));
  return found.filter((each) => each !== null);
}

/** `pid (name) state ppid …`, of which utime, stime, cutime and cstime are the fields 14 to 17 (`man 5 proc`). */
async function processOf(pid: number): Promise<Process | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), ms: (ticks * MS_PER_SECOND) / TICKS };
}
