import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeApps } from './fake-apps.ts';
import { runGondola } from './gondola-process.ts';

const TOKEN = 'operations-token-of-npm-start';
/** Only root can change a file's owner. */
const byRoot = process.getuid?.() === 0 ? describe : describe.skip;

describe('the process of gondola', () => {
  let apps: FakeApps;
  let folder: string;

  beforeAll(async () => {
    apps = await FakeApps.start();
    folder = await mkdtemp(join(tmpdir(), 'gondola-cli-'));
  });
  afterAll(async () => {
    await apps.stop();
    await rm(folder, { recursive: true });
  });

  /** Creates a folder in the state that `npm start` leaves while it runs. */
  async function npmStarted(root: string): Promise<string> {
    await mkdir(join(root, '.gondola'), { recursive: true });
    const operationsTokenFile = join(root, '.gondola/operations-token');
    await writeFile(operationsTokenFile, `${TOKEN}\n`, { mode: 0o600 });
    const content = { pid: 1, operationsTokenFile, 'webhook-ingest': apps.urlOf('webhook-ingest') };
    const runFile = join(root, '.gondola/run.json');
    await writeFile(runFile, JSON.stringify(content), { mode: 0o600 });
    return runFile;
  }

  /** Counts the calls that an app receives from a command in this folder. */
  async function callsFrom(name: string): Promise<number> {
    const before = apps.received.length;
    await runGondola(['webhook', 'status'], {}, join(folder, name));
    return apps.received.length - before;
  }

  it('prints one document and exits 0 when it is done', async () => {
    const { exit, stdout, stderr } = await runGondola(['notifications', 'show', '17', '--json'], apps.env);
    expect(JSON.parse(stdout)).toMatchObject({ id: '17' });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'O conteúdo não é mostrado sem --body.\n' });
  });

  it('prints a long list whole into a pipe', async () => {
    const { exit, stdout } = await runGondola(['notifications', 'list', '--limit', '450', '--json'], apps.env);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ entries: { length: 450 } });
  });

  it('prints one Portuguese sentence and exits with 1 if the app refuses', async () => {
    const { exit, stdout, stderr } = await runGondola(['notifications', 'show', '9999'], apps.env);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^webhook-ingest em [^\n]* não tem \/api\/notifications\/9999[^\n]*\n$/);
  });

  it('exits 2 on wrong usage, and shows its help without any app', async () => {
    expect(await runGondola([], {})).toEqual({
      exit: 2,
      stdout: '',
      stderr: 'Falta o comando; veja gondola --help.\n',
    });
    const help = await runGondola(['--help'], { LC_ALL: 'en_US.UTF-8' });
    expect(help).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringMatching(/^Usage: gondola/) });
  });

  it('finds running apps by the run.json of a folder above', async () => {
    const below = join(folder, 'shop/data');
    await mkdir(below, { recursive: true });
    await npmStarted(join(folder, 'shop'));
    const { exit, stderr } = await runGondola(['webhook', 'status', '--json'], {}, below);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(apps.received.at(-1)).toMatchObject({ token: TOKEN });
  });

  it('takes neither address nor token from a run.json that another user may write', async () => {
    const runFile = await npmStarted(join(folder, 'writable'));
    await chmod(runFile, 0o666);
    expect(await callsFrom('writable')).toBe(0);
    await chmod(runFile, 0o600);
    expect(await callsFrom('writable')).toBe(1);
  });

  byRoot('as root', () => {
    it('takes neither from a run.json that another user owns', async () => {
      const runFile = await npmStarted(join(folder, 'foreign'));
      await chown(runFile, 65_534, 65_534);
      expect(await callsFrom('foreign')).toBe(0);
      await chown(runFile, 0, 0);
      expect(await callsFrom('foreign')).toBe(1);
    });
  });
});
