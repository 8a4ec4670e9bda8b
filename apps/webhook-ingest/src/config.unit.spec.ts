import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigError } from '@gondola/service-kit/config/config';
import { loadConfig } from './config.ts';

const TOKEN = 'acme-webhook-token-of-today';
const TENANT = {
  id: 'acme',
  contractAccountId: '11111111-1111-4111-8111-111111111111',
  platform: { baseUrl: 'http://127.0.0.1:9', username: 'erp-one', password: { env: 'PASSWORD' } },
  webhook: { tokens: [{ env: 'TOKEN' }], users: true },
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gondola-config-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function environment(tenant: object = TENANT) {
  const file = join(folder, 'tenants.json');
  writeFileSync(file, JSON.stringify({ tenants: [tenant] }));
  return {
    DATABASE_URL: 'postgres://gondola:secret@127.0.0.1:5432/gondola',
    KAFKA_BROKERS: '127.0.0.1:9092',
    TENANTS_FILE: file,
    PASSWORD: 'platform-password',
    TOKEN,
  };
}

function problemsOf(env: Record<string, string>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('the configuration', () => {
  it('needs a database, brokers and tenants, and has defaults for the rest', () => {
    const config = loadConfig(environment());
    expect(config).toMatchObject({
      http: { host: '127.0.0.1', port: 8081 },
      database: { schema: 'webhook_ingest' },
      ingest: { maxBodyBytes: 5_000_000 },
    });
    expect(config.receivers.get('acme')).toEqual({
      id: 'acme',
      contractAccountId: TENANT.contractAccountId,
      users: true,
      isMirrored: false,
    });
  });

  it('needs no secret of the platform before a webhook is to be registered', () => {
    const { PASSWORD: _password, ...env } = environment();
    const [acme] = loadConfig(env).tenants;
    expect(acme).toMatchObject({ webhook: { tokens: [TOKEN] } });
    expect(acme?.platform).not.toHaveProperty('password');
    expect(() => loadConfig(env).platformTenants()).toThrow('PASSWORD');
    const [withSecrets] = loadConfig(environment()).platformTenants();
    expect(withSecrets?.platform.password).toBe('platform-password');
  });

  it('is refused with all problems of the environment and of the tenants file, by name and without a secret', () => {
    const env = environment({ ...TENANT, contractAccountId: 'acme', webhook: { tokens: [{ env: 'NOBODY' }] } });
    const text = problemsOf({ ...env, DATABASE_URL: 'mysql://root:secret@x', KAFKA_BROKERS: '', MAX_BODY_BYTES: '9' });
    for (const name of ['DATABASE_URL', 'KAFKA_BROKERS', 'MAX_BODY_BYTES', 'contractAccountId', 'webhook.tokens[0]']) {
      expect(text).toContain(name);
    }
    expect(text).not.toMatch(/secret|platform-password/);
  });

  it('is refused if no tenant could deliver anything', () => {
    expect(problemsOf(environment({ ...TENANT, webhook: {} }))).toContain('webhook.tokens');
    expect(problemsOf({ ...environment(), TENANTS_FILE: '/nowhere' })).toContain('TENANTS_FILE');
  });
});

const mirrored = (mirror: object) => environment({ ...TENANT, webhook: { ...TENANT.webhook, mirror } });

describe('a mirror in the tenants file', () => {
  it('has the first webhook token as its own, and bounds', () => {
    const { mirrors, receivers } = loadConfig(mirrored({ url: 'https://old.example.com/hooks' }));
    expect(mirrors.get('acme')).toEqual({
      url: 'https://old.example.com/hooks',
      token: TOKEN,
      private: false,
      maxWaiting: 100_000,
      maxAgeMs: 86_400_000,
    });
    expect(receivers.get('acme')?.isMirrored).toBe(true);
    const own = mirrored({ url: 'http://old:8080', private: true, token: { env: 'PASSWORD' } });
    expect(loadConfig(own).mirrors.get('acme')?.token).toBe('platform-password');
  });

  it.each([
    ['http://old.example.com', {}, 'https'],
    ['https://10.0.0.7', {}, 'private: true'],
    ['https://old.internal', {}, 'private: true'],
    ['https://localhost', {}, 'private: true'],
    ['https://erp:senha@old.example.com', {}, 'without user'],
    ['ftp://old.example.com', {}, 'http(s)'],
    ['http://169.254.169.254/latest', { private: true }, 'none of metadata'],
    ['http://[fd00:ec2::254]/', { private: true }, 'none of metadata'],
    ['http://127.0.0.1:8081/webhooks/platform', { private: true }, 'the webhook of this app itself'],
    ['http://localhost:8081/webhooks/platform/acme', { private: true }, 'the webhook of this app itself'],
  ])('at %s with %j is refused with a sentence', (url, more, problem) => {
    const found = problemsOf(mirrored({ url, ...more }));
    expect(found).toContain('tenants[0].webhook.mirror.url');
    expect(found).toContain(problem);
    expect(found).not.toContain('senha@');
  });

  it('waits no longer than the content is stored; all mistakes are told at once', () => {
    const wrong = { url: 'http://old.example.com', maxWaiting: 0, maxAgeMs: 90 * 86_400_000, token: 'plain' };
    const found = problemsOf(mirrored(wrong));
    for (const field of ['mirror.url', 'mirror.maxWaiting', 'mirror.token']) expect(found).toContain(field);
    const old = mirrored({ url: 'https://old.example.com', maxAgeMs: 31 * 86_400_000 });
    expect(problemsOf(old)).toContain('at most retention.bodyDays');
  });
});
