import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ConfigError, configGroup, readConfig } from './config.ts';
import type { Environment } from './config.ts';
import {
  databaseShape,
  httpShape,
  kafkaShape,
  logShape,
  requiredText,
  tenantsShape,
  wholeNumber,
} from './config-shapes.ts';

const GROUPS = {
  http: httpShape(8081),
  database: databaseShape('webhook-ingest'),
  kafka: kafkaShape,
  tenants: tenantsShape,
  log: logShape,
};
const MINIMAL = {
  DATABASE_URL: 'postgres://u:p@db/x',
  KAFKA_BROKERS: 'one:9092, two:9092',
  TENANTS_FILE: '/etc/t.yaml',
};
const CANARY = 'canary-secret';

const folder = mkdtempSync(join(tmpdir(), 'gondola-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

function fileWith(text: string): string {
  files += 1;
  const path = join(folder, String(files));
  writeFileSync(path, text);
  return path;
}

function errorOf(env: Environment): ConfigError {
  try {
    readConfig(GROUPS, env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('No problem was found');
}

const problemsIn = (env: Environment) => errorOf(env).problems.map(({ where }) => where);

/** Valid for a century; its key exists no more. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBczCCARmgAwIBAgIUbkqcAux8uBaqDOP2YpIviXIroX8wCgYIKoZIzj0EAwIw
DjEMMAoGA1UEAwwDb25lMCAXDTI2MTEyOTAxMTkwNloYDzIxMjYxMTA1MDExOTA2
WjAOMQwwCgYDVQQDDANvbmUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATo5aAk
I+ndADRqamGDL1WqgmrtB7sOT3Bx0uAf03SJTlGKZG2ARDtyJNLs0Rnq64WhoBzz
bk8eU5QWkGpej7JZo1MwUTAdBgNVHQ4EFgQUN1AMW5RLcDuDL/IOs+wn9HaQmHow
HwYDVR0jBBgwFoAUN1AMW5RLcDuDL/IOs+wn9HaQmHowDwYDVR0TAQH/BAUwAwEB
/zAKBggqhkjOPQQDAgNIADBFAiBYwKxMcK5s2kS3N7BV6I2GLqbivO/oGBQZ2lAt
3oKsbAIhAPcLiHo+hTSgJGABvYsx2beS5LalxfLoVDm835fytUug
-----END CERTIFICATE-----
`;
const KEY = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
}).privateKey;

const tlsOf = (env: Environment) => readConfig(GROUPS, { ...MINIMAL, ...env }).kafka.ssl;

describe('the TLS of Kafka', () => {
  it('trusts the authorities of a file in place of the public ones', () => {
    const bundle = fileWith(CERTIFICATE + CERTIFICATE);
    expect(tlsOf({ KAFKA_SSL: 'true', KAFKA_SSL_CA_FILE: bundle })).toEqual({
      ca: (CERTIFICATE + CERTIFICATE).trimEnd(),
    });
    expect(tlsOf({ KAFKA_SSL: 'true' })).toBe(true);
    expect(tlsOf({})).toBe(false);
  });

  it.each([
    ['an authority without TLS', { KAFKA_SSL_CA: CERTIFICATE }, 'KAFKA_SSL_CA', 'KAFKA_SSL=true'],
    ['a text that is no certificate', { KAFKA_SSL: 'true', KAFKA_SSL_CA: KEY }, 'KAFKA_SSL_CA', 'BEGIN CERTIFICATE'],
    [
      'a bundle with a damaged certificate',
      { KAFKA_SSL: 'true', KAFKA_SSL_CA: CERTIFICATE + CERTIFICATE.replace('MII', 'MIX') },
      'KAFKA_SSL_CA',
      'BEGIN CERTIFICATE',
    ],
    ['a certificate without its key', { KAFKA_SSL: 'true', KAFKA_SSL_CERT: CERTIFICATE }, 'KAFKA_SSL_KEY', 'both'],
    ['a key without its certificate', { KAFKA_SSL: 'true', KAFKA_SSL_KEY: KEY }, 'KAFKA_SSL_CERT', 'both'],
    [
      'a key of another certificate',
      { KAFKA_SSL: 'true', KAFKA_SSL_CERT: CERTIFICATE, KAFKA_SSL_KEY: KEY },
      'KAFKA_SSL_KEY',
      'is not the key of KAFKA_SSL_CERT',
    ],
    [
      'a text that is no key',
      { KAFKA_SSL: 'true', KAFKA_SSL_CERT: CERTIFICATE, KAFKA_SSL_KEY: CANARY },
      'KAFKA_SSL_KEY',
      'PEM',
    ],
  ])('refuses %s in one sentence', (_, env, where, sentence) => {
    const error = errorOf({ ...MINIMAL, ...env });
    expect(error.problems).toEqual([{ where, problem: expect.stringContaining(sentence) }]);
    expect(error.message).not.toContain(CANARY);
  });
});

describe('readConfig', () => {
  it("has the contract's defaults, and requires only variables without one", () => {
    expect(readConfig(GROUPS, MINIMAL)).toEqual({
      http: { host: '127.0.0.1', port: 8081, operationsToken: null, operationsPort: null },
      database: { url: 'postgres://u:p@db/x', schema: 'webhook_ingest', runMigrations: true },
      kafka: { brokers: ['one:9092', 'two:9092'], ssl: false, topicPrefix: '', partitions: 12, sessionMs: 10_000 },
      tenants: { file: '/etc/t.yaml' },
      log: { level: 'info' },
    });
    expect(problemsIn({})).toEqual(['DATABASE_URL', 'KAFKA_BROKERS', 'TENANTS_FILE']);
  });

  it('reads every variable of the contract', () => {
    const config = readConfig(GROUPS, {
      ...MINIMAL,
      HTTP_HOST: '0.0.0.0',
      HTTP_PORT: '0',
      OPERATIONS_TOKEN: 't'.repeat(24),
      OPERATIONS_PORT: '9081',
      DATABASE_SCHEMA: 'mine',
      MIGRATIONS: 'off',
      KAFKA_SSL: 'true',
      KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
      KAFKA_SASL_USERNAME: 'u',
      KAFKA_SASL_PASSWORD: 'p',
      TOPIC_PREFIX: 'acme.',
      TOPIC_PARTITIONS: '3',
      LOG_LEVEL: 'debug',
    });
    expect(config.http).toEqual({
      host: '0.0.0.0',
      port: 0,
      operationsToken: 't'.repeat(24),
      operationsPort: 9_081,
    });
    expect(config.database).toMatchObject({ schema: 'mine', runMigrations: false });
    expect(config.kafka).toMatchObject({
      ssl: true,
      sasl: { mechanism: 'scram-sha-512', username: 'u', password: 'p' },
      topicPrefix: 'acme.',
      partitions: 3,
      sessionMs: 10_000,
    });
    expect(config.log.level).toBe('debug');
  });

  it.each(['kafka:9092', '10.0.0.7:9092', '[::1]:9092', '[2001:db8::7]:9092', '[::ffff:10.0.0.7]:9092'])(
    'takes the broker %s',
    (broker) => {
      expect(readConfig(GROUPS, { ...MINIMAL, KAFKA_BROKERS: broker }).kafka.brokers).toEqual([broker]);
    },
  );

  it.each(['kafka', '::1:9092', '[::1]', '[:::]:9092', '[kafka]:9092', 'kafka:0', 'kafka:70000', 'one:9092,'])(
    'refuses the broker %s in one sentence',
    (broker) => {
      expect(errorOf({ ...MINIMAL, KAFKA_BROKERS: broker }).message).toMatch(/KAFKA_BROKERS: esperado .+ \[::1\]:9092/);
    },
  );

  it.each(['OAUTHBEARER', 'GSSAPI', 'AWS_MSK_IAM'])(
    'refuses the login %s, and names those that it has',
    (mechanism) => {
      const login = { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'p' };
      const { message } = errorOf({ ...MINIMAL, ...login });
      expect(message).toMatch(/KAFKA_SASL_MECHANISM: .+ one of: plain, scram-sha-256, scram-sha-512$/);
    },
  );

  it('is frozen all the way down', () => {
    const config = readConfig(GROUPS, MINIMAL);
    expect([config, config.kafka, config.kafka.brokers].every((part) => Object.isFrozen(part))).toBe(true);
  });

  it('reports every problem at once, by variable, with the valid form and without the values', () => {
    const error = errorOf({
      DATABASE_URL: `mysql://${CANARY}`,
      DATABASE_SCHEMA: CANARY,
      MIGRATIONS: CANARY,
      KAFKA_BROKERS: CANARY,
      KAFKA_SSL: CANARY,
      KAFKA_SASL_PASSWORD: CANARY,
      TOPIC_PREFIX: `${CANARY} `,
      TOPIC_PARTITIONS: '0',
      HTTP_PORT: CANARY,
      LOG_LEVEL: CANARY,
    });
    expect(error.problems.map(({ where }) => where).toSorted()).toEqual([
      'DATABASE_SCHEMA',
      'DATABASE_URL',
      'HTTP_PORT',
      'KAFKA_BROKERS',
      'KAFKA_SASL_MECHANISM',
      'KAFKA_SASL_USERNAME',
      'KAFKA_SSL',
      'LOG_LEVEL',
      'MIGRATIONS',
      'TENANTS_FILE',
      'TOPIC_PARTITIONS',
      'TOPIC_PREFIX',
    ]);
    expect(error.message).not.toContain(CANARY);
    expect(error.message).toContain('HTTP_PORT: número inteiro / whole number, 0 … 65535');
    expect(error.message).toContain('LOG_LEVEL: um de / one of: fatal, error, warn, info');
  });

  it('treats an empty variable as unset', () => {
    expect(readConfig(GROUPS, { ...MINIMAL, HTTP_PORT: '', OPERATIONS_TOKEN: '' }).http).toMatchObject({
      port: 8081,
      operationsToken: null,
    });
    expect(problemsIn({ ...MINIMAL, DATABASE_URL: '' })).toEqual(['DATABASE_URL']);
  });

  it('reads any variable from the file that NAME_FILE names, without its last line break', () => {
    const { DATABASE_URL, ...rest } = MINIMAL;
    const config = readConfig(GROUPS, {
      ...rest,
      DATABASE_URL_FILE: fileWith(`${DATABASE_URL}\n`),
      OPERATIONS_TOKEN_FILE: fileWith('token-of-the-operations-API\r\n'),
    });
    expect(config.database.url).toBe(DATABASE_URL);
    expect(config.http.operationsToken).toBe('token-of-the-operations-API');
  });

  it.each(['x', 't'.repeat(23), `${'t'.repeat(23)} t`, `${'t'.repeat(24)}\n`, 'ç'.repeat(30)])(
    'refuses an OPERATIONS_TOKEN that could be guessed or does not fit into a header: %j',
    (token) => {
      const { message } = errorOf({ ...MINIMAL, OPERATIONS_TOKEN: token });
      expect(message).toContain('OPERATIONS_TOKEN: 24 caracteres visíveis ou mais');
      expect(message).not.toContain(token);
    },
  );

  it('treats an OPERATIONS_PORT equal to the app’s port as unset', () => {
    const port = (own: string) => readConfig(GROUPS, { ...MINIMAL, OPERATIONS_PORT: own }).http.operationsPort;
    expect(port('8081')).toBeNull();
    expect(port('9081')).toBe(9_081);
    expect(port('0')).toBe(0);
    expect(problemsIn({ ...MINIMAL, OPERATIONS_PORT: '70000' })).toEqual(['OPERATIONS_PORT']);
  });

  it('does not read TENANTS_FILE as the file of a variable TENANTS', () => {
    expect(readConfig(GROUPS, { ...MINIMAL, TENANTS: 'x' }).tenants.file).toBe('/etc/t.yaml');
  });

  it('reports once what is wrong with a NAME_FILE', () => {
    const both = errorOf({ ...MINIMAL, DATABASE_URL_FILE: fileWith(CANARY) });
    expect(both.problems).toEqual([{ where: 'DATABASE_URL', problem: expect.stringContaining('only one') }]);

    const { DATABASE_URL: _, ...rest } = MINIMAL;
    const missing = errorOf({ ...rest, DATABASE_URL_FILE: join(folder, 'nowhere') });
    expect(missing.problems).toEqual([{ where: 'DATABASE_URL_FILE', problem: expect.stringContaining('ENOENT') }]);
    const empty = errorOf({ ...rest, DATABASE_URL_FILE: fileWith('\n') });
    expect(empty.problems).toEqual([{ where: 'DATABASE_URL_FILE', problem: expect.stringContaining('empty') }]);
  });

  it("reads an app's own group beside the common ones", () => {
    const spool = configGroup(
      {
        SPOOL_DIR: requiredText('pasta / folder'),
        MAX_BODY_BYTES: wholeNumber({ min: 1, max: 10_000, default: 5_000 }),
      },
      (env) => ({ dir: env.SPOOL_DIR, maxBodyBytes: env.MAX_BODY_BYTES }),
    );
    expect(readConfig({ spool }, { SPOOL_DIR: '/spool' }).spool).toEqual({ dir: '/spool', maxBodyBytes: 5_000 });
    expect(() => readConfig({ spool }, { MAX_BODY_BYTES: '1.5' })).toThrow(/SPOOL_DIR: falta.*\n.*MAX_BODY_BYTES/);
  });

  it.each(['postgresql://db/x', 'postgres://u:p@[::1]:5432/x?sslmode=require'])('accepts DATABASE_URL %s', (url) => {
    expect(readConfig(GROUPS, { ...MINIMAL, DATABASE_URL: url }).database.url).toBe(url);
  });

  it.each(['http://db/x', 'db', 'postgres'])('refuses DATABASE_URL %s', (url) => {
    expect(problemsIn({ ...MINIMAL, DATABASE_URL: url })).toEqual(['DATABASE_URL']);
  });
});
