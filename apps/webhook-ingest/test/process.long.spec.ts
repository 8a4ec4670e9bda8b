import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FROM_SOURCES } from '@gondola/local-stack/child-app';
import { waitFor } from '@gondola/local-stack/wait-for';
import { deliver, envelope } from './support/deliver.ts';
import { ACME_TOKEN, IngestBench, PATIENT_INBOX, APP_FOLDER } from './support/ingest-bench.ts';

let bench: IngestBench;

beforeEach(async () => {
  bench = await IngestBench.open('process', PATIENT_INBOX);
});

afterEach(async () => {
  await bench.close();
});

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

/** Runs the app until it exits. */
function run(env: Record<string, string>, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...FROM_SOURCES, ...args],
      { cwd: APP_FOLDER, env },
      (_error, _stdout, stderr) => resolve({ code: child.exitCode, stderr }),
    );
  });
}

async function storedCount(): Promise<number> {
  const [row] = await bench.rows<{ count: number }>('SELECT count(*)::int AS count FROM notifications');
  return row!.count;
}

/** True if no process listens; connections that stay open do not show that. */
async function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return !isOpen;
}

describe('the process', () => {
  it('ends on SIGTERM in time with code 0, and what it had answered 200 is sent', async () => {
    const disk = { SPOOL_DIR: bench.spoolFolder() };
    const app = await bench.startProcess(disk);
    for (let count = 0; count < 20; count += 1) expect(await deliver(app, envelope())).toMatchObject({ status: 200 });
    expect(await app.stop()).toMatchObject({ code: 0 });
    await bench.start(disk);
    await waitFor(async () => (await storedCount()) === 20, { describe: 'all that was answered 200 to be stored' });
    await bench.everythingSent();
  });

  it('answers the delivery that is under way when it must stop, and does not wait for its connection', async () => {
    const disk = { SPOOL_DIR: bench.spoolFolder() };
    const app = await bench.startProcess(disk);
    const delivery = request(`${app.url}/webhooks/platform`, {
      method: 'POST',
      agent: new Agent({ keepAlive: true }),
      headers: { authorization: ACME_TOKEN, 'transfer-encoding': 'chunked' },
    });
    const answered = once(delivery, 'response') as Promise<[IncomingMessage]>;
    const body = envelope();
    delivery.write(body.slice(0, 10));
    await waitFor(async () => (await deliver(app, envelope())).status === 200, { describe: 'a later delivery' });
    const stopped = app.stop();
    await waitFor(async () => isRefused(app.url), { describe: 'new connections to be refused' });
    delivery.end(body.slice(10));
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers.connection).toBe('close');
    expect(await stopped).toMatchObject({ code: 0 });
    await bench.start(disk);
    await waitFor(async () => (await storedCount()) >= 2, { describe: 'both deliveries to be stored' });
    expect(await storedCount()).toBe(2);
  });

  it('does not start with a wrong configuration, and names all mistakes', async () => {
    const { code, stderr } = await run({
      ...bench.env,
      DATABASE_URL: 'x',
      KAFKA_BROKERS: '',
      TENANTS_FILE: '/nowhere',
    });
    expect(code).toBe(1);
    for (const name of ['DATABASE_URL', 'KAFKA_BROKERS', 'TENANTS_FILE']) expect(stderr).toContain(name);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('only migrates on the command migrate', async () => {
    expect(await run(bench.env, 'migrate')).toMatchObject({ code: 0 });
    expect(await storedCount()).toBe(0);
  });
});
