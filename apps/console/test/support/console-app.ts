import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestSchema, testStack } from '@gondola/local-stack/test-stack';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { createWatchedApp } from '@gondola/service-kit/testing/documented-answers';
import { appOptions } from '../../src/app.module.ts';
import { loadConfig } from '../../src/config.ts';
import type { AppName } from '../../src/operations-apis/app-name.ts';
import { hashPassword } from '../../src/operators/password-hash.adapter.ts';

export const LINK_SECRET = 'the-secret-of-the-link-of-this-test';
export const OPERATIONS_TOKEN = 'the-operations-token-of-this-test';
export const PASSWORD = 'correct horse battery staple';

export interface TestConsole {
  readonly running: RunningApp;
  readonly url: string;
  readonly database: Database;
  readonly schema: string;
  /** Lines of its log. */
  readonly lines: string[];
  stop(): Promise<void>;
}

export interface TestConsoleOptions {
  readonly apps?: Readonly<Partial<Record<AppName, string>>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly tenants?: readonly string[];
  /** Changes of the users file, by name; undefined: there is no such user. */
  readonly users?: Readonly<Record<string, object | undefined>>;
  /** Files of the page, by path; or the folder that has them. */
  readonly page?: Readonly<Record<string, string | Buffer>> | string;
}

/** A console on its own schema with the tenants acme and norte, and users of every kind. */
export async function startConsole({
  apps = {},
  env = {},
  tenants = ['acme', 'norte'],
  users = {},
  page = {},
}: TestConsoleOptions = {}): Promise<TestConsole> {
  const schema = await createTestSchema('console');
  const folder = await mkdtemp(join(tmpdir(), 'gondola-console-'));
  const tenantsFile = join(folder, 'tenants.json');
  await writeFile(tenantsFile, JSON.stringify({ tenants: tenants.map(tenantOf) }));
  const usersFile = join(folder, 'users.json');
  await writeFile(usersFile, JSON.stringify(await usersFileOf(users)));
  const pageFolder = typeof page === 'string' ? page : join(folder, 'web');
  if (typeof page !== 'string') {
    await mkdir(join(pageFolder, 'assets'), { recursive: true });
    for (const [path, text] of Object.entries(page)) await writeFile(join(pageFolder, path), text);
  }
  const config = loadConfig({
    HTTP_PORT: '0',
    DATABASE_URL: testStack().databaseUrl,
    DATABASE_SCHEMA: schema.schema,
    OPERATIONS_TOKEN,
    TENANTS_FILE: tenantsFile,
    CONSOLE_USERS_FILE: usersFile,
    CONSOLE_LINK_SECRET: LINK_SECRET,
    ...Object.fromEntries(Object.entries(apps).map(([app, url]) => [addressVariable(app), url])),
    ...env,
  });
  const lines: string[] = [];
  const logger = createLogger({ app: 'console', level: 'debug', destination: { write: (line) => lines.push(line) } });
  const options = appOptions(config, logger, pageFolder);
  const { running, checkAnswers } = await createWatchedApp(options);
  await running.start();
  return {
    running,
    url: running.url,
    database: options.database!,
    schema: config.database.schema,
    lines,
    stop: async () => {
      await running.stop();
      await schema.drop();
      await rm(folder, { recursive: true, force: true });
      await checkAnswers();
    },
  };
}

function addressVariable(app: string): string {
  return `GONDOLA_${app.toUpperCase().replaceAll('-', '_')}_URL`;
}

function tenantOf(id: string, index: number): object {
  return {
    id,
    contractAccountId: `${index + 1}1111111-1111-4111-8111-111111111111`,
    platform: { baseUrl: 'http://127.0.0.1:9', username: 'erp-one', password: { env: 'UNUSED' } },
  };
}

let hash: Promise<string> | undefined;

async function usersFileOf(changes: TestConsoleOptions['users']): Promise<object> {
  const password = await (hash ??= hashPassword(PASSWORD));
  return {
    users: {
      maria: { password, roles: { acme: 'act' } },
      joao: { password, roles: { acme: 'see' } },
      noemia: { password, roles: { norte: 'act' } },
      chefe: { password, roles: { '*': 'act' } },
      auditor: { password, roles: { '*': 'see' } },
      ninguem: { password, roles: {} },
      ...changes,
    },
    groups: { operacao: { acme: 'act' }, auditoria: { '*': 'see' } },
  };
}

export interface BrowserAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A browser with the cookies that the console has set. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<BrowserAnswer> {
    const given: Record<string, string> = {
      ...(this.cookies.size > 0 && { cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') }),
      ...(method !== 'GET' && { origin: this.#url, 'content-type': 'application/json' }),
      ...headers,
    };
    const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers: present,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const cookie of answer.headers.getSetCookie()) this.#take(cookie);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  }

  async signIn(name: string, password: string = PASSWORD): Promise<BrowserAnswer> {
    return this.call('POST', '/session/password', { name, password });
  }

  #take(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(cookie)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
