import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@gondola/service-kit/config/config';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from './config.ts';
import { hashPassword, isPassword } from './operators/password-hash.adapter.ts';

let folder: string;
let env: Record<string, string>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gondola-console-config-'));
  const tenant = {
    id: 'acme',
    contractAccountId: '11111111-1111-4111-8111-111111111111',
    platform: { baseUrl: 'https://platform.example.com', username: 'erp', password: { env: 'UNUSED' } },
  };
  env = {
    DATABASE_URL: 'postgres://gondola:unused@127.0.0.1:9/gondola',
    OPERATIONS_TOKEN: 'x'.repeat(24),
    TENANTS_FILE: fileOf('tenants.json', { tenants: [tenant] }),
    CONSOLE_LINK_SECRET: 'y'.repeat(24),
  };
});

afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: object | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** A users file with one user. */
function fileNaming(name: string): string {
  return fileOf('names.json', { users: { [name]: { password: '', roles: {} } } });
}

/** Places of all problems, and the whole message. */
function refused(changes: Record<string, string>): { places: string[]; message: string } {
  try {
    loadConfig({ ...env, ...changes });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { places: error.problems.map(({ where }) => where).toSorted(), message: error.message };
  }
  return { places: [], message: '' };
}

describe('the configuration', () => {
  it('says all that is wrong at once, by variable, without a value', () => {
    const { places, message } = refused({
      OPERATIONS_TOKEN: 'short-secret',
      CONSOLE_URL: 'http://console.example.com',
      CONSOLE_USERS_FILE: join(folder, 'nowhere.yaml'),
      OIDC_ISSUER: 'https://login.example.com',
      GONDOLA_FILE_GATEWAY_URL: 'file-gateway:8082',
      TENANTS_FILE: join(folder, 'nowhere.json'),
    });
    expect(places).toEqual([
      'CONSOLE_URL',
      'CONSOLE_USERS_FILE',
      'GONDOLA_FILE_GATEWAY_URL',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OPERATIONS_TOKEN',
      'TENANTS_FILE',
    ]);
    expect(message).not.toContain('short-secret');
  });

  it.each([
    ['no token for the apps', { OPERATIONS_TOKEN: '' }, 'OPERATIONS_TOKEN'],
    ['no way to sign in', { CONSOLE_LINK_SECRET: '' }, 'CONSOLE_USERS_FILE'],
    ['no address, where others reach it', { HTTP_HOST: '0.0.0.0' }, 'CONSOLE_URL'],
  ])('refuses %s', (_what, changes, place) => {
    expect(refused(changes).places).toEqual([place]);
  });

  it('refuses a user with a password in place of its hash, and a role for a shop that there is not', () => {
    const users = { maria: { password: 'secret-password', roles: { acme: 'act', nort: 'see' } } };
    const { places, message } = refused({
      CONSOLE_USERS_FILE: fileOf('users.json', { users, groups: { ops: { nowhere: 'act' } } }),
    });
    expect(places).toEqual([
      'CONSOLE_USERS_FILE.groups.ops.nowhere',
      'CONSOLE_USERS_FILE.users.maria.password',
      'CONSOLE_USERS_FILE.users.maria.roles.nort',
    ]);
    expect(message).not.toContain('secret-password');
  });

  it('refuses a user whose name no app would take', () => {
    for (const name of ['maria\u202E', 'm'.repeat(101), '']) {
      expect(refused({ CONSOLE_USERS_FILE: fileNaming(name) }).places).toContain('CONSOLE_USERS_FILE.users');
    }
    expect(refused({ CONSOLE_USERS_FILE: fileNaming('maria') }).places).not.toContain('CONSOLE_USERS_FILE.users');
  });

  it.each(['maria (SSO)', 'maria(sso) ', 'maria （ＳＳＯ）'])(
    'refuses a user whose name looks like one of OpenID Connect: %s',
    (name) => {
      const { places } = refused({ CONSOLE_USERS_FILE: fileNaming(name) });
      expect(places).toContain(`CONSOLE_USERS_FILE.users.${name}`);
    },
  );

  it('takes a provider of OpenID Connect by http on this machine alone', () => {
    const oidc = {
      CONSOLE_URL: 'https://console.example.com',
      OIDC_CLIENT_ID: 'console',
      OIDC_CLIENT_SECRET: 'secret',
    };
    const placesOf = (issuer: string) =>
      refused({ ...oidc, CONSOLE_USERS_FILE: fileOf('none.json', {}), OIDC_ISSUER: issuer }).places;
    for (const host of ['login.example.com', '10.0.0.7', '127.0.0.1.example.com', 'localhost.example.com']) {
      expect({ host, places: placesOf(`http://${host}/realm`) }).toEqual({ host, places: ['OIDC_ISSUER'] });
    }
    for (const issuer of ['http://localhost:9', 'http://127.0.0.1:9', 'http://[::1]:9', 'https://login.example.com']) {
      expect({ issuer, places: placesOf(issuer) }).toEqual({ issuer, places: [] });
    }
  });

  it('reads users of YAML, with a hash from a variable', async () => {
    const file = fileOf('users.yaml', 'users:\n  maria: { password: { env: HASH }, roles: { "*": see } }\n');
    const hash = await hashPassword('correct horse');
    const { operators } = loadConfig({ ...env, CONSOLE_USERS_FILE: file, HASH: hash });
    expect(operators.users.get('maria')).toEqual({ passwordHash: hash, roles: { '*': 'see' } });
  });
});

describe('the hash of a password', () => {
  it('is another one each time, and fits no other password', async () => {
    const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
    expect(one).not.toBe(other);
    expect(await isPassword('correct horse', one)).toBe(true);
    expect(await isPassword('correct horsf', one)).toBe(false);
    // Composed and decomposed letters look alike, and a phone sends the other ones.
    expect(
      await isPassword('cora\u00e7\u00e3o-de-m\u00e3e', await hashPassword('corac\u0327a\u0303o-de-ma\u0303e')),
    ).toBe(true);
  });
});
