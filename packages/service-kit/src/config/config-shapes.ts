import { DEFAULT_PARTITIONS } from '@gondola/shared/topics/topics';
import { z } from 'zod';
import { configGroup } from './config.ts';
import type { ConfigGroup, ConfigProblem, Environment } from './config.ts';
import { LOG_LEVELS } from '../logging/logger.ts';
import type { LogLevel } from '../logging/logger.ts';

export interface HttpConfig {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Null: the operations API is off. */
  readonly operationsToken: string | null;
  /** Port of `/api`, `/metrics` and `/health`; null or absent: the app's own port. 0: any free port. */
  readonly operationsPort?: number | null;
}

export interface DatabaseConfig {
  readonly url: string;
  readonly schema: string;
  readonly runMigrations: boolean;
}

export interface KafkaConfig {
  readonly brokers: readonly string[];
  readonly ssl: boolean;
  readonly sasl?: {
    readonly mechanism: (typeof SASL_MECHANISMS)[number];
    readonly username: string;
    readonly password: string;
  };
  readonly topicPrefix: string;
  readonly partitions: number;
  /** Time without a heartbeat after which the consumer group considers a member dead, in milliseconds. */
  readonly sessionMs: number;
}

const LEAST_TOKEN_LENGTH = 24;
const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
const MAX_PARTITIONS = 1_000;
const BROKER = /^[^\s:,/@]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/;

/** A required text. `what` describes it for the error, Portuguese first: `pasta / folder`. */
export function requiredText(what: string): z.ZodType<string> {
  return z.string({ error: `falta / missing: ${what}` });
}

interface WholeNumbers {
  readonly min: number;
  readonly max: number;
}

/** A whole number in a range. */
export function wholeNumber(range: WholeNumbers & { default: number }): z.ZodType<number> {
  return wholeNumberIn(range).default(range.default);
}

function wholeNumberIn({ min, max }: WholeNumbers) {
  const message = `número inteiro / whole number, ${min} … ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** One of the given words. */
export function oneOf<const W extends string>(words: readonly W[], standard: W): z.ZodType<W> {
  return z
    .string()
    .default(standard)
    .refine(
      (text): text is W => words.some((word) => word === text),
      `um de / one of: ${words.join(', ')}`,
    ) as z.ZodType<W>;
}

/** `HTTP_HOST`, `HTTP_PORT`, `OPERATIONS_TOKEN`, `OPERATIONS_PORT`. */
export function httpShape(defaultPort: number): ConfigGroup<HttpConfig> {
  const ports = { min: 0, max: 65_535 };
  return configGroup(
    {
      HTTP_HOST: z.string().default('127.0.0.1'),
      HTTP_PORT: wholeNumber({ ...ports, default: defaultPort }),
      OPERATIONS_TOKEN: operationsToken().optional(),
      OPERATIONS_PORT: wholeNumberIn(ports).optional(),
    },
    ({ HTTP_HOST: host, HTTP_PORT: port, OPERATIONS_TOKEN: token, OPERATIONS_PORT: own }) => ({
      host,
      port,
      operationsToken: token ?? null,
      operationsPort: own === undefined || (own === port && own !== 0) ? null : own,
    }),
  );
}

/** Long enough that it cannot be guessed, and only of characters that a header can carry. */
function operationsToken(): z.ZodType<string> {
  const least = `${LEAST_TOKEN_LENGTH} caracteres visíveis ou mais, sem espaços`;
  const message = `${least} / ${LEAST_TOKEN_LENGTH} visible characters or more, without spaces`;
  return z.string().regex(new RegExp(`^[\\x21-\\x7e]{${LEAST_TOKEN_LENGTH},}$`), message);
}

/** `DATABASE_URL`, `DATABASE_SCHEMA` (default: the app's name with underscores), `MIGRATIONS`. */
export function databaseShape(app: string): ConfigGroup<DatabaseConfig> {
  const url = 'postgres://usuario:senha@host:5432/banco';
  return configGroup(
    {
      DATABASE_URL: requiredText(url).refine(isPostgresUrl, `esperado / expected: ${url}`),
      DATABASE_SCHEMA: z
        .string()
        .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'letras minúsculas, dígitos, _ / lower case letters, digits, _')
        .default(app.replaceAll('-', '_')),
      MIGRATIONS: oneOf(['on', 'off'], 'on'),
    },
    (env) => ({ url: env.DATABASE_URL, schema: env.DATABASE_SCHEMA, runMigrations: env.MIGRATIONS === 'on' }),
  );
}

/** `KAFKA_BROKERS`, `KAFKA_SSL`, `KAFKA_SASL_*`, `TOPIC_PREFIX`, `TOPIC_PARTITIONS`, `KAFKA_SESSION_MS`. */
export const kafkaShape: ConfigGroup<KafkaConfig> = configGroup(
  {
    KAFKA_BROKERS: requiredText('host:porta,host:porta')
      .transform((text) => text.split(',').map((broker) => broker.trim()))
      .refine(
        (brokers) => brokers.every((broker) => BROKER.test(broker)),
        'esperado / expected: host:porta,host:porta',
      ),
    KAFKA_SSL: oneOf(['true', 'false'], 'false'),
    KAFKA_SASL_MECHANISM: z
      .string()
      .toLowerCase()
      .pipe(z.enum(SASL_MECHANISMS, { error: `um de / one of: ${SASL_MECHANISMS.join(', ')}` }))
      .optional(),
    KAFKA_SASL_USERNAME: z.string().optional(),
    KAFKA_SASL_PASSWORD: z.string().optional(),
    TOPIC_PREFIX: z
      .string()
      .regex(/^[\w.-]{0,100}$/, 'até 100 letras, dígitos, . _ - / up to 100 letters, digits, . _ -')
      .default(''),
    TOPIC_PARTITIONS: wholeNumber({ min: 1, max: MAX_PARTITIONS, default: DEFAULT_PARTITIONS }),
    KAFKA_SESSION_MS: wholeNumber({ min: 6_000, max: 300_000, default: 10_000 }),
  },
  (env) => ({
    brokers: env.KAFKA_BROKERS,
    ssl: env.KAFKA_SSL === 'true',
    ...(env.KAFKA_SASL_MECHANISM === undefined
      ? {}
      : {
          sasl: {
            mechanism: env.KAFKA_SASL_MECHANISM,
            username: env.KAFKA_SASL_USERNAME ?? '',
            password: env.KAFKA_SASL_PASSWORD ?? '',
          },
        }),
    topicPrefix: env.TOPIC_PREFIX,
    partitions: env.TOPIC_PARTITIONS,
    sessionMs: env.KAFKA_SESSION_MS,
  }),
  saslProblems,
);

/** `TENANTS_FILE`: the path for `loadTenants`. */
export const tenantsShape: ConfigGroup<{ readonly file: string }> = configGroup(
  { TENANTS_FILE: requiredText('caminho do arquivo de lojas / path of the tenants file') },
  (env) => ({ file: env.TENANTS_FILE }),
);

/** `LOG_LEVEL`. */
export const logShape: ConfigGroup<{ readonly level: LogLevel }> = configGroup(
  { LOG_LEVEL: oneOf(LOG_LEVELS, 'info') },
  (env) => ({ level: env.LOG_LEVEL }),
);

/** Groups of every app with PostgreSQL and Kafka. */
export function appShapes(app: string, defaultPort: number) {
  return { http: httpShape(defaultPort), database: databaseShape(app), kafka: kafkaShape, log: logShape };
}

const SASL_VARIABLES = ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'];

function saslProblems(values: Environment): ConfigProblem[] {
  const missing = SASL_VARIABLES.filter((name) => values[name] === undefined);
  if (missing.length === 0 || missing.length === SASL_VARIABLES.length) return [];
  const problem = 'as três KAFKA_SASL_* ou nenhuma / all three KAFKA_SASL_* or none';
  return missing.map((where) => ({ where, problem }));
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && ['postgres:', 'postgresql:'].includes(new URL(text).protocol);
}
