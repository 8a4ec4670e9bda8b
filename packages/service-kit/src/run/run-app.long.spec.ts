import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SOURCES } from '@gondola/local-stack/child-app';
import { createTestSchema } from '@gondola/local-stack/test-stack';
import type { TestSchema } from '@gondola/local-stack/test-stack';

const FOLDER = fileURLToPath(new URL('../testing', import.meta.url));

interface Run {
  child: ChildProcess;
  /** Resolves with the log line that contains the text. */
  line(text: string): Promise<Record<string, unknown>>;
  end: Promise<{ code: number | null; stdout: string; stderr: string; ms: number }>;
}

let schema: TestSchema;
const children: ChildProcess[] = [];

beforeEach(async () => {
  schema = await createTestSchema('kit_run_app');
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await schema.drop();
});

function run(env: Record<string, string> = {}, args: string[] = []): Run {
  const node = [...SOURCES, `${FOLDER}/shelf.main.ts`];
  const child = spawn(process.execPath, [...node, ...args], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: schema.url,
      DATABASE_SCHEMA: schema.schema,
      HTTP_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const started = performance.now();
  const stdout: string[] = [];
  const stderr: string[] = [];
  const waiting: { text: string; found: (line: Record<string, unknown>) => void }[] = [];
  createInterface(child.stdout).on('line', (line) => {
    stdout.push(line);
    for (const { text, found } of waiting) if (line.includes(text)) found(JSON.parse(line) as Record<string, unknown>);
  });
  child.stderr.on('data', (chunk) => stderr.push(String(chunk)));
  const end = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stdout: stdout.join('\n'),
    stderr: stderr.join(''),
    ms: performance.now() - started,
  }));
  const line = (text: string) => {
    const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
    waiting.push({ text, found: resolve });
    const early = stdout.find((old) => old.includes(text));
    if (early !== undefined) resolve(JSON.parse(early) as Record<string, unknown>);
    return Promise.race([
      promise,
      end.then(({ stderr: said }) => {
        throw new Error(`The process ended without "${text}": ${said}`);
      }),
    ]);
  };
  return { child, line, end };
}

describe('runApp, ending by a signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('stops everything on %s and ends with 0', async (signal) => {
    const app = run();
    await app.line('"The app is ready"');
    app.child.kill(signal);
    const { code, stdout, stderr } = await app.end;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('"The app was stopped"');
  });

  it('stops while it starts', async () => {
    const app = run({ BEHAVIOUR: 'away' });
    expect(await app.line('Could not start yet')).toMatchObject({ startable: 'second', err: { code: 'ECONNREFUSED' } });
    app.child.kill('SIGTERM');
    expect((await app.end).code).toBe(0);
  });

  it('ends with 1 if stopping takes too long', async () => {
    const app = run({ BEHAVIOUR: 'stuck', SHUTDOWN_MS: '200' });
    await app.line('"The app is ready"');
    app.child.kill('SIGTERM');
    const { code, stdout } = await app.end;
    expect(code).toBe(1);
    expect(stdout).toContain('The app did not stop in time');
  });

  it('ends with 1 at once on a second signal', async () => {
    const app = run({ BEHAVIOUR: 'stuck' });
    await app.line('"The app is ready"');
    app.child.kill('SIGTERM');
    await app.line('"The app stops"');
    app.child.kill('SIGTERM');
    const { code, stdout } = await app.end;
    expect(code).toBe(1);
    expect(stdout).not.toContain('did not stop in time');
  });
});

describe('runApp, failing', () => {
  it('prints every problem of the configuration in readable lines, without a stack or a secret', async () => {
    const { code, stdout, stderr } = await run({ DATABASE_URL: 'canary-secret', HTTP_PORT: 'x', LOG_LEVEL: 'loud' })
      .end;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual([
      'Configuração inválida / Invalid configuration:',
      expect.stringMatching(/^ {2}- HTTP_PORT: /),
      expect.stringMatching(/^ {2}- LOG_LEVEL: /),
      expect.stringMatching(/^ {2}- DATABASE_URL: /),
    ]);
    expect(stderr).not.toContain('canary');
  });

  it.each(['wrong', 'wrong-later'])(
    'ends with 1 and one line if a startable fails permanently (%s)',
    async (behaviour) => {
      const { code, stderr } = await run({ BEHAVIOUR: behaviour }).end;
      expect(code).toBe(1);
      expect(stderr).toBe('Não foi possível iniciar / Could not start: Error: wrong password of [removed]\n');
    },
  );

  it('ends as soon as by a signal if a permanently failed startable does not stop', async () => {
    const { code, stdout, stderr } = await run({ BEHAVIOUR: 'wrong-later-stuck', SHUTDOWN_MS: '200' }).end;
    expect(code).toBe(1);
    expect(stdout).toContain('A startable did not stop in time');
    expect(stderr).toContain('wrong password');
  });

  it('names HTTP_PORT or OPERATIONS_PORT in one sentence if its port is taken', async () => {
    const first = run();
    const port = Number((await first.line('The HTTP server listens'))['port']);
    for (const variable of ['HTTP_PORT', 'OPERATIONS_PORT']) {
      const { code, stderr } = await run({ [variable]: String(port) }).end;
      expect(code).toBe(1);
      expect(stderr).toBe(
        `Não foi possível iniciar / Could not start: ${variable}: a porta ${port} de 127.0.0.1 já está em uso: ` +
          `libere-a ou defina outra / port ${port} of 127.0.0.1 is in use already: free it, or set another one (EADDRINUSE)\n`,
      );
    }
  });

  it('names HTTP_HOST if it is not an address of this machine', async () => {
    const { code, stderr } = await run({ HTTP_HOST: '192.0.2.1' }).end;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Não foi .+ start: HTTP_HOST: "192\.0\.2\.1" não é um endereço .+ \(EADDRNOTAVAIL\)\n$/);
  });

  it('names DATABASE_URL if the password is refused', async () => {
    const url = new URL(schema.url);
    url.password = 'canary';
    const { code, stderr } = await run({ DATABASE_URL: url.href }).end;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Não foi .+ start: DATABASE_URL: o PostgreSQL .+ recusa .+ refuses .+ \(28P01\)\n$/);
    expect(stderr).not.toContain('canary');
  });

  it('names DATABASE_URL in log and readiness while PostgreSQL is unreachable', async () => {
    const app = run({ DATABASE_URL: 'postgres://u:canary@127.0.0.1:1/x' });
    const line = await app.line('Could not start yet');
    expect(line).toMatchObject({
      startable: 'database',
      variable: 'DATABASE_URL',
      err: {
        code: 'ECONNREFUSED',
        message: expect.stringMatching(/^DATABASE_URL: o PostgreSQL \(127\.0\.0\.1:1\) não /),
      },
    });
    const { port } = await app.line('The HTTP server listens');
    const report = await fetch(`http://127.0.0.1:${String(port)}/health/ready`);
    expect(await report.json()).toMatchObject({
      checks: { database: { state: 'retrying', reason: 'ECONNREFUSED', variable: 'DATABASE_URL' } },
    });
    expect(JSON.stringify(line)).not.toContain('canary');
  });

  it('logs an uncaught error and ends with 1', async () => {
    const { code, stdout } = await run({ BEHAVIOUR: 'crash' }).end;
    expect(code).toBe(1);
    expect(stdout).toMatch(/"level":"fatal".*nobody caught this/);
  });

  it('refuses an unknown argument', async () => {
    const { code, stderr } = await run({}, ['migrat']).end;
    expect(code).toBe(1);
    expect(stderr).toContain('expected "migrate" or nothing');
  });
});

describe('runApp migrate', () => {
  it('only migrates, so that an app with MIGRATIONS=off can start, which reported them as pending before', async () => {
    const early = await run({ MIGRATIONS: 'off' }).end;
    expect(early.code).toBe(1);
    expect(early.stderr).toMatch(/^MIGRATIONS=off, mas o schema .*CreateShelves1700000000000.*\n$/);

    const migration = await run({}, ['migrate']).end;
    expect({ code: migration.code, stderr: migration.stderr }).toEqual({ code: 0, stderr: '' });
    expect(migration.stdout).toContain('"migrations":["CreateShelves1700000000000"]');
    expect(migration.stdout).not.toContain('The HTTP server listens');

    const app = run({ MIGRATIONS: 'off' });
    await app.line('"The app is ready"');
  });

  it('ends with 1 if the database is unreachable', async () => {
    const { code, stderr } = await run({ DATABASE_URL: 'postgres://u:canary@127.0.0.1:1/x' }, ['migrate']).end;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Não foi .+ start: DATABASE_URL: .+ takes no connections: .+ \(ECONNREFUSED\)\n$/);
    expect(stderr).not.toContain('canary');
  });
});
