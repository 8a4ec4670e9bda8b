import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIPv6 } from 'node:net';
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

/** Texts in PEM. */
export interface KafkaTls {
  /** The authorities to trust, in place of the public ones. */
  readonly ca?: string;
  /** The certificate that this app shows, with those that vouch for it. */
  readonly cert?: string;
  readonly key?: string;
}

export interface KafkaConfig {
  readonly brokers: readonly string[];
  /** False: no TLS; true: TLS with a certificate of a public authority. */
  readonly ssl: boolean | KafkaTls;
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
/** `host:port`; an address of IPv6 stands in brackets. */
const BROKER = /^(?:[^\s:,/@[\]]+|\[(?<ipv6>[0-9a-fA-F:.]+)\]):(?<port>\d{1,5})$/;
const MAX_PORT = 65_535;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const CERTIFICATE_EXPECTED =
  'esperado certificado PEM, -----BEGIN CERTIFICATE----- / expected: a PEM certificate, -----BEGIN CERTIFICATE-----';

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

/** `KAFKA_BROKERS`, `KAFKA_SSL`, `KAFKA_SSL_*`, `KAFKA_SASL_*`, `TOPIC_PREFIX`, `TOPIC_PARTITIONS` and so on. */
export const kafkaShape: ConfigGroup<KafkaConfig> = configGroup(
  {
    KAFKA_BROKERS: requiredText('host:porta,host:porta')
      .transform((text) => text.split(',').map((broker) => broker.trim()))
      .refine((brokers) => brokers.every(isBroker), 'esperado / expected: host:porta,host:porta (IPv6: [::1]:9092)'),
    KAFKA_SSL: oneOf(['true', 'false'], 'false'),
    KAFKA_SSL_CA: z.string().refine(isCertificates, CERTIFICATE_EXPECTED).optional(),
    KAFKA_SSL_CERT: z.string().refine(isCertificates, CERTIFICATE_EXPECTED).optional(),
    KAFKA_SSL_KEY: z
      .string()
      .refine(isPrivateKey, 'esperada chave PEM sem senha / expected: a PEM key without a passphrase')
      .optional(),
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
    ssl: tlsOf(env),
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
  (values) => [...saslProblems(values), ...tlsProblems(values)],
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

const TLS_VARIABLES = ['KAFKA_SSL_CA', 'KAFKA_SSL_CERT', 'KAFKA_SSL_KEY'];

function tlsProblems(values: Environment): ConfigProblem[] {
  const given = TLS_VARIABLES.filter((name) => values[name] !== undefined);
  if (values['KAFKA_SSL'] !== 'true') {
    return given.map((where) => ({ where, problem: 'só com KAFKA_SSL=true / only with KAFKA_SSL=true' }));
  }
  const pair = ['KAFKA_SSL_CERT', 'KAFKA_SSL_KEY'];
  const missing = pair.filter((name) => values[name] === undefined);
  if (missing.length === 1) {
    const problem = 'KAFKA_SSL_CERT e KAFKA_SSL_KEY, ou nenhuma / both KAFKA_SSL_CERT and KAFKA_SSL_KEY, or none';
    return missing.map((where) => ({ where, problem }));
  }
  if (missing.length > 0 || !isCertificates(values['KAFKA_SSL_CERT']!) || !isPrivateKey(values['KAFKA_SSL_KEY']!)) {
    return [];
  }
  if (new X509Certificate(values['KAFKA_SSL_CERT']!).checkPrivateKey(createPrivateKey(values['KAFKA_SSL_KEY']!))) {
    return [];
  }
  const problem = 'não é a chave de KAFKA_SSL_CERT / is not the key of KAFKA_SSL_CERT';
  return [{ where: 'KAFKA_SSL_KEY', problem }];
}

function tlsOf(env: {
  readonly KAFKA_SSL: string;
  readonly KAFKA_SSL_CA?: string | undefined;
  readonly KAFKA_SSL_CERT?: string | undefined;
  readonly KAFKA_SSL_KEY?: string | undefined;
}): boolean | KafkaTls {
  const { KAFKA_SSL: ssl, KAFKA_SSL_CA: ca, KAFKA_SSL_CERT: cert, KAFKA_SSL_KEY: key } = env;
  if (ssl !== 'true' || (ca === undefined && cert === undefined)) return ssl === 'true';
  return { ...(ca !== undefined && { ca }), ...(cert !== undefined && key !== undefined && { cert, key }) };
}

function isBroker(text: string): boolean {
  const { ipv6, port } = BROKER.exec(text)?.groups ?? {};
  if (port === undefined || Number(port) < 1 || Number(port) > MAX_PORT) return false;
  return ipv6 === undefined || isIPv6(ipv6);
}

/** True for one or more certificates. Node.js ignores authorities that it cannot read. */
function isCertificates(text: string): boolean {
  const certificates = text.match(CERTIFICATE) ?? [];
  return certificates.length > 0 && certificates.every((pem) => isReadable(() => new X509Certificate(pem)));
}

function isPrivateKey(text: string): boolean {
  return isReadable(() => createPrivateKey(text));
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && ['postgres:', 'postgresql:'].includes(new URL(text).protocol);
}
