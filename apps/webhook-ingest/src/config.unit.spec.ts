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
      isInShadow: false,
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
