import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError, type ConfigProblem } from './values/config-error.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type Environment = Readonly<Record<string, string | undefined>>;

/** A whole number in a range. */
function whole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

const text = z.string().optional();

/** All variables; the README says what each means. */
const VARIABLES = z.object({
  DATA_DIR: text,
  JOURNAL_MAX_BYTES: whole(1_000, 100_000_000_000).default(64 * 1_048_576),
  HTTP_HOST: z.string().default('127.0.0.1'),
  HTTP_PORT: whole(0, 65_535).default(8090),
  OPERATIONS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{24,}$/, 'must have 24 visible characters or more, without spaces')
    .optional(),
  OPERATIONS_PORT: whole(0, 65_535).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  WEBHOOK_CONCURRENCY: whole(1, 256).default(8),
  WEBHOOK_TIMEOUT_MS: whole(1, 600_000).default(10_000),
  UPLOAD_MAX_BYTES: whole(1, 10_000_000_000).default(100_000_000),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  HISTORY_KEPT: whole(1, 10_000_000).default(50_000),
  HISTORY_SWEEP_MS: whole(10, 3_600_000).default(10_000),
  RANDOM_SEED: text,
  SFTP_PORT: whole(0, 65_535).default(8022),
  SFTP_USERNAME: text,
  SFTP_PASSWORD: text,
  SFTP_HOST_KEY: text,
  SFTP_CONTRACT_FOLDER: z
    .string()
    .regex(/^[\w-]+$/, 'must be letters, digits, - and _')
    .default('loja'),
  SFTP_MAX_BYTES: whole(1, 10_000_000_000).default(100_000_000),
  DATABASE_URL: text,
  DATABASE_SCHEMA: text,
});

export type SandboxConfig = ReturnType<typeof loadConfig>;

/** Reads the configuration from the environment; throws one `ConfigError` with all problems. */
export function loadConfig(env: Environment) {
  const problems: ConfigProblem[] = [];
  const given = Object.fromEntries(Object.keys(VARIABLES.shape).map((name) => [name, valueOf(name, env, problems)]));
  const read = VARIABLES.safeParse(given);
  if (!read.success) {
    problems.push(...read.error.issues.map(({ path, message }) => ({ where: path.join('.'), problem: message })));
  }
  if ((given['SFTP_USERNAME'] === undefined) !== (given['SFTP_PASSWORD'] === undefined)) {
    problems.push({ where: 'SFTP_PASSWORD', problem: 'SFTP_USERNAME and SFTP_PASSWORD, or neither' });
  }
  if (!read.success || problems.length > 0) throw new ConfigError(problems);
  const values = read.data;
  const { SFTP_USERNAME: username, SFTP_PASSWORD: password } = values;
  return {
    /** Folder of the state; null: it is in memory only. */
    dataDir: values.DATA_DIR ?? null,
    journalMaxBytes: values.JOURNAL_MAX_BYTES,
    http: {
      host: values.HTTP_HOST,
      port: values.HTTP_PORT,
      operationsToken: values.OPERATIONS_TOKEN ?? null,
      operationsPort: values.OPERATIONS_PORT ?? null,
    },
    logLevel: values.LOG_LEVEL,
    webhookConcurrency: values.WEBHOOK_CONCURRENCY,
    webhookTimeoutMs: values.WEBHOOK_TIMEOUT_MS,
    uploadMaxBytes: values.UPLOAD_MAX_BYTES,
    /** Without a trailing slash; null: the address that it listens on. */
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    historyKept: values.HISTORY_KEPT,
    historySweepMs: values.HISTORY_SWEEP_MS,
    /** Seed for repeatable ids; null: random ids of the system. */
    randomSeed: values.RANDOM_SEED ?? null,
    sftp:
      username === undefined || password === undefined
        ? null
        : {
            host: values.HTTP_HOST,
            port: values.SFTP_PORT,
            username,
            password,
            hostKey: values.SFTP_HOST_KEY ?? null,
            contractFolder: values.SFTP_CONTRACT_FOLDER,
            maxBytes: values.SFTP_MAX_BYTES,
          },
    /** True if a database is named, which earlier versions used. */
    namesDatabase: values.DATABASE_URL !== undefined || values.DATABASE_SCHEMA !== undefined,
  };
}

/** Value of a variable, or the content of the file that `NAME_FILE` names, without a final line break. */
function valueOf(name: string, env: Environment, problems: ConfigProblem[]): string | undefined {
  const value = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return value;
  if (value !== undefined) {
    problems.push({ where: name, problem: `use only one of ${name} and ${name}_FILE` });
    return undefined;
  }
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch {
    problems.push({ where: `${name}_FILE`, problem: 'the file cannot be read' });
    return undefined;
  }
}
