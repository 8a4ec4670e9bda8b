import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';
import { run } from '../src/run.ts';
import { ACCOUNT, type RealApps, startRealApps } from './real-apps.ts';

const APP = ['--app', 'order-command-handler'];

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

interface Stored {
  id: string;
  state: string;
  bodyBase64?: string;
}

interface Letter {
  id: string;
  code: string;
  group: string;
  redriven: number;
  failures: number;
  value: { base64: string };
  headers: { name: string; value: { text: string } }[];
}

function order(operationId: string, number: unknown): string {
  const data = { number, status: 300, updatedAt: '2026-11-20T10:15:00.1234567', customer: 'Cliente Teste 01' };
  const envelope = {
    operationId,
    contractAccountId: ACCOUNT,
    relatedEntity: 'Order',
    eventType: 'Order_Updated',
    data,
  };
  return JSON.stringify(envelope, null, 1);
}

describe('gondola, with webhook-ingest, order-command-handler and file-gateway', () => {
  let apps: RealApps;

  beforeAll(async () => {
    apps = await startRealApps(['webhook-ingest', 'order-command-handler', 'file-gateway']);
  });
  afterAll(async () => {
    await apps?.stop();
  });

  async function letters(): Promise<Letter[]> {
    return (await apps.json<{ deadLetters: Letter[] }>('dead-letters', 'list', ...APP)).deadLetters;
  }

  it('shows the bytes of a quarantined notification as received, reads them again, and discards them with a note (rule 4)', async () => {
    const body = '{"operationId": "o-1", "data": {"customer": "Cliente Teste 01"}';
    expect(await apps.deliver(body)).toBe(200);
    // A slow database has it spooled first.
    const open = ['notifications', 'quarantine', '--state', 'open'];
    const found = await waitFor(async () => (await apps.json<{ entries: Stored[] }>(...open)).entries[0], {
      describe: 'the notification in quarantine',
    });
    expect(found).toMatchObject({ tenant: 'acme', reason: 'NOT_JSON' });
    const { id } = found;
    const shown = await apps.json<Stored>('notifications', 'quarantine', id, '--body');
    expect(Buffer.from(shown.bodyBase64!, 'base64').toString()).toBe(body);
    expect((await apps.gondola('notifications', 'quarantine', id)).stdout).not.toContain('Cliente');
    expect(await apps.gondola('notifications', 'reprocess', id)).toMatchObject({
      exit: 1,
      stderr: `Entry ${id} stays in quarantine: NOT_JSON.\n`,
    });
    expect(await apps.gondola('notifications', 'discard', id, '--note', 'teste')).toMatchObject({ exit: 0 });
    expect(await apps.json('notifications', 'quarantine', '--state', 'discarded')).toMatchObject({
      entries: [{ id, note: 'teste' }],
    });
  });

  it('finds the notification of an order, and erases its content when that is confirmed', async () => {
    const body = order('o-2', 100234);
    expect(await apps.deliver(body)).toBe(200);
    const find = ['notifications', 'list', '--tenant', 'acme', '--order', '100234', '--state', 'sent'];
    const found = await waitFor(async () => (await apps.json<{ entries: Stored[] }>(...find)).entries[0], {
      describe: 'the notification to be sent',
    });
    const shown = await apps.gondola('notifications', 'show', found.id, '--body');
    expect(shown.stdout).toContain(body);
    const erase = ['notifications', 'erase', '--tenant', 'acme', '--order', '100234'];
    expect(await apps.json(...erase)).toMatchObject({ confirmed: false, notifications: 1 });
    expect((await apps.json<Stored>('notifications', 'show', found.id, '--body')).bodyBase64).not.toBeNull();
    expect(await apps.gondola(...erase, '--confirm')).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/: 1 notifications/),
    });
    expect(await apps.gondola('notifications', 'show', found.id, '--body')).toMatchObject({
      exit: 0,
      stdout: expect.not.stringContaining('Cliente'),
      stderr: 'The content is no longer stored.\n',
    });
  });

  it('redrives a dead letter byte for byte, to the group that failed', async () => {
    const body = order('o-3', 'no number');
    expect(await apps.deliver(body)).toBe(200);
    const [letter] = await waitFor(async () => atLeast(1, await letters()), {
      describe: 'a dead letter',
    });
    expect(letter).toMatchObject({ code: 'IDENTITY_MISSING', redriven: 0 });
    expect(await apps.gondola('dead-letters', 'redrive', letter!.id, ...APP)).toMatchObject({ exit: 0 });
    const show = (...more: string[]): Promise<Letter> =>
      apps.json<Letter>('dead-letters', 'show', letter!.id, ...APP, ...more);
    await waitFor(async () => (await show()).failures === 2, { describe: 'the record to fail again' });
    expect(await letters()).toHaveLength(1);
    expect(Buffer.from((await show('--body')).value.base64, 'base64').toString()).toBe(body);
    expect((await apps.gondola('dead-letters', 'show', letter!.id, ...APP)).stdout).not.toContain('Cliente');
  });

  it('shows how many dead letters a job would discard, and discards them', async () => {
    const filter = [...APP, '--reason', 'IDENTITY_MISSING', '--note', 'a test'];
    const discard = ['jobs', 'start', '--action', 'discard', ...filter];
    expect(await apps.json(...discard)).toMatchObject({ confirmed: false, count: 1 });
    const { id } = await apps.json<{ id: string }>(...discard, '--confirm');
    const job = (): Promise<{ state: string }> => apps.json('jobs', 'show', id, ...APP);
    await waitFor(async () => (await job()).state === 'finished', { describe: 'the job' });
    expect(await job()).toMatchObject({ action: 'discard', done: 1, failed: 0 });
  });

  it('shows what would be registered, and that nothing is (rule 37)', async () => {
    const url = 'https://gondola.example.com/webhooks/platform/acme';
    const plan = await apps.gondola('webhook', 'register', '--tenant', 'acme', '--url', url);
    expect(plan).toMatchObject({ exit: 0, stdout: expect.stringMatching(/Order_Updated[^]*never be changed/) });
    const other = await apps.gondola('webhook', 'register', '--tenant', 'acme', '--url', 'http://127.0.0.1/hook');
    expect(other).toMatchObject({ exit: 0, stdout: expect.stringMatching(/Careful: /) });
    const refused = await apps.gondola(
      'webhook',
      'register',
      '--tenant',
      'acme',
      '--url',
      'http://g.example.com/hook',
      '--confirm',
    );
    expect(refused).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/422 REGISTRATION_NOT_POSSIBLE\): .*https/),
    });
    expect(await apps.json('webhook', 'status')).toMatchObject({
      registrations: [{ tenant: 'acme', outcome: 'none', attempts: [] }],
    });
  });

  it('hands contents over once, and gives file commands that end in a result', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gondola-pictures-'));
    await writeFile(join(folder, '4711-1.png'), PNG);
    const publish = ['files', 'publish', folder, '--sku', 'novo', '--wait', '0m'];
    const sent = async () => {
      const { stdout } = await apps.gondola(...publish, '--json');
      return (JSON.parse(stdout) as { skus: { pictures: { sent: boolean }[] }[] }).skus[0]?.pictures[0]?.sent;
    };
    expect([await sent(), await sent()]).toEqual([true, false]);
    await writeFile(join(folder, 'nfe.xml'), '<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe"><NFe/></nfeProc>');
    expect(await apps.gondola('files', 'upload', join(folder, 'nfe.xml'))).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/415 .*DANFE/),
    });
    expect(await apps.gondola('files', 'list', '..', '--wait', '2m')).toMatchObject({
      exit: 1,
      stderr: expect.stringMatching(/^LIMIT: /),
    });
    await rm(folder, { recursive: true });
  });

  it('is let in by the operations token alone', async () => {
    const { OPERATIONS_TOKEN: _right, ...env } = apps.env;
    for (const wrong of [env, { ...env, OPERATIONS_TOKEN: 'another' }])
      expect(await run({ args: ['webhook', 'status'], env: wrong, folder: '/', width: null })).toMatchObject({
        exit: 4,
      });
  });
});

function atLeast(count: number, found: Letter[]): Letter[] | null {
  return found.length >= count ? found : null;
}
