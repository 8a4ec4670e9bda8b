import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeApps, refusal } from './fake-apps.ts';
import { type Ended, run } from '../src/run.ts';

const TOKEN = 'upload-token-of-the-test';
const ENV = { LANG: 'en_US.UTF-8', GONDOLA_TIMEOUT_MS: '60000' };

interface Published {
  skus: {
    externalReference: string;
    outcome: string | null;
    commandId: string;
    pictures: { path: string; sent: boolean }[];
  }[];
  unknown: string[];
  clashes: unknown[];
  skipped: string[];
}

describe('gondola files', () => {
  let apps: FakeApps;
  let folder: string;

  beforeAll(async () => {
    apps = await FakeApps.start();
  });
  beforeEach(async () => {
    apps.reset();
    folder = await mkdtemp(join(tmpdir(), 'gondola-files-'));
  });
  afterAll(() => apps.stop());

  /** Runs one command line in English, with the upload token unless `more` replaces it. */
  function gondola(args: readonly string[], more: Record<string, string> = {}): Promise<Ended> {
    const env = { ...ENV, ...apps.env, GONDOLA_UPLOAD_TOKEN: TOKEN, ...more };
    return run({ args: ['files', ...args], env, folder, width: null });
  }

  async function json<T>(...args: string[]): Promise<T> {
    return JSON.parse((await gondola([...args, '--json'])).stdout) as T;
  }

  /** Creates files in a new folder, each with different content. */
  async function pictures(...names: string[]): Promise<string> {
    const own = join(folder, randomUUID());
    await mkdir(own);
    for (const name of names) await writeFile(join(own, name), `${name} ${randomUUID()}`);
    return own;
  }

  const uploads = () => apps.received.filter(({ method, path }) => method === 'POST' && path === '/uploads');
  const commands = () =>
    apps.received.flatMap(({ path, body }) => (path === '/api/commands' ? [body as Record<string, unknown>] : []));

  it('upload sends a file with the upload token and shows its id', async () => {
    const file = join(await pictures('danfe.pdf'), 'danfe.pdf');
    const { exit, stdout, stderr } = await gondola(['upload', file]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toMatch(/^uploadId +u-danfe\.pdf /);
    expect(uploads()).toMatchObject([
      { app: 'file-gateway', token: TOKEN, body: expect.stringContaining('danfe.pdf') },
    ]);
  });

  it('upload reads the token from a file, and explains an unusable one', async () => {
    const own = await pictures('a.png');
    await writeFile(join(own, 'token'), `${TOKEN}\n`);
    const from = { GONDOLA_UPLOAD_TOKEN: '', GONDOLA_UPLOAD_TOKEN_FILE: join(own, 'token') };
    expect(await gondola(['upload', join(own, 'a.png')], from)).toMatchObject({ exit: 0 });
    expect(await gondola(['upload', join(own, 'a.png')], { GONDOLA_UPLOAD_TOKEN: '' })).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('set GONDOLA_UPLOAD_TOKEN'),
    });
    apps.token = 'another';
    const wrong = await gondola(['upload', join(own, 'a.png')]);
    expect(wrong).toMatchObject({ exit: 4, stderr: expect.stringContaining('does not accept this upload token') });
    expect(wrong.stderr).not.toContain(TOKEN);
  });

  it('upload quotes a refusal, also one that comes while a large file is being sent', async () => {
    const file = join(folder, 'large.bin');
    await writeFile(file, Buffer.alloc(8_000_000));
    apps.answer = () => refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Envie o DANFE em PDF.');
    expect(await gondola(['upload', file])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('Envie o DANFE'),
    });
    expect(await gondola(['upload', folder])).toMatchObject({ exit: 2, stderr: expect.stringContaining('EISDIR') });
    expect(await gondola(['upload', join(folder, 'none')])).toMatchObject({ exit: 2 });
  });

  it('upload ends when the app is silent or not there', async () => {
    const file = join(await pictures('a.png'), 'a.png');
    apps.answer = () => 'never';
    expect(await gondola(['upload', file], { GONDOLA_TIMEOUT_MS: '200' })).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('did not answer'),
    });
    const away = { GONDOLA_UPLOADS_URL: 'http://127.0.0.1:9' };
    expect(await gondola(['upload', file], away)).toMatchObject({
      exit: 3,
      stderr: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('upload is sent to /uploads of another port if one is named, and to no guessed address', async () => {
    const file = join(await pictures('a.png'), 'a.png');
    const own = { GONDOLA_FILE_GATEWAY_URL: 'http://127.0.0.1:9', GONDOLA_UPLOADS_URL: apps.urlOf('file-gateway') };
    expect(await gondola(['upload', file], own)).toMatchObject({ exit: 0 });
    expect(await gondola(['upload', file], { GONDOLA_FILE_GATEWAY_URL: '' })).toMatchObject({ exit: 2 });
  });

  it('upload shows how far a large file is, in plain lines where there is no terminal', async () => {
    const file = join(folder, 'large.png');
    await writeFile(file, Buffer.alloc(8_000_000, 'x'));
    const written: string[] = [];
    const live = { write: (text: string) => void written.push(text), width: null };
    const env = { ...ENV, ...apps.env, GONDOLA_UPLOAD_TOKEN: TOKEN };
    await run({ args: ['files', 'upload', file], env, folder, width: null, live });
    expect(written).toEqual(['25', '50', '75', '100'].map((part) => `${file}: ${part} %\n`));
  });

  it('publish sends the pictures of a folder in order, one command for each SKU, and shows the outcomes', async () => {
    const own = await pictures(
      '4711-2.png',
      '4711.jpg',
      '4711-1.png',
      '4711-1_10.gif',
      '4711-1_9.gif',
      'Thumbs.db',
      'x.png',
    );
    const { stdout, stderr, exit } = await gondola(['publish', own, '--tenant', 'acme', '--replace']);
    expect(stdout.split('\n')).toEqual([
      'SKU     PICTURES  SENT  OUTCOME  DETAIL',
      '4711-1  3         3     applied  -',
      '4711    2         2     applied  -',
      '',
    ]);
    expect(stderr).toContain('x.png was left out');
    expect(stderr).toContain('1 files that are no pictures');
    expect(exit).toBe(1);
    const names = commands().map(({ skuExternalReference, tenant, replace, images }) => [
      skuExternalReference,
      tenant,
      replace,
      (images as { order: number; content: { uploadId: string } }[]).map(({ order, content }) => [
        order,
        content.uploadId.replace(/^u-(\S+) .*$/, '$1'),
      ]),
    ]);
    expect(names).toEqual([
      [
        '4711-1',
        'acme',
        true,
        [
          [1, '4711-1.png'],
          [2, '4711-1_9.gif'],
          [3, '4711-1_10.gif'],
        ],
      ],
      [
        '4711',
        'acme',
        true,
        [
          [1, '4711.jpg'],
          [2, '4711-2.png'],
        ],
      ],
    ]);
  });

  it('publish sends no content again that is there', async () => {
    const own = await pictures('4711.jpg', '4711-2.png');
    expect((await json<Published>('publish', own)).skus[0]?.pictures.map(({ sent }) => sent)).toEqual([true, true]);
    await writeFile(join(own, '4711-2.png'), 'changed');
    const { skus } = await json<Published>('publish', own);
    expect(skus).toMatchObject([{ externalReference: '4711', pictures: [{ sent: false }, { sent: true }] }]);
    expect(uploads()).toHaveLength(3);
    expect(new Set(commands().map(({ commandId }) => commandId)).size).toBe(2);
  });

  it('publish takes the pictures of one SKU in the order in which they are named', async () => {
    const own = await pictures('verso.jpg', 'frente.jpg');
    const files = [join(own, 'frente.jpg'), join(own, 'verso.jpg')];
    const { skus } = await json<Published>('publish', ...files, '--sku', 'novo');
    expect(skus).toMatchObject([{ externalReference: 'novo', pictures: files.map((path) => ({ path })) }]);
    expect(apps.received.map(({ path }) => path)).not.toContain('/api/skus/known');
  });

  it('publish leaves out a SKU with two pictures of the same number, and reports it', async () => {
    const own = await pictures('4711-3.png', '4711_3.png');
    const { exit, stderr } = await gondola(['publish', own]);
    expect([exit, stderr]).toEqual([1, expect.stringMatching(/SKU 4711 were left out.*4711_3\.png, .*4711-3\.png/)]);
    expect(uploads()).toEqual([]);
  });

  it('publish exits with 1 if one SKU is refused, prints why, and continues with the others', async () => {
    const own = await pictures('4711-1.png', '4711.jpg');
    apps.answer = ({ path, method, body }) => {
      if (method === 'POST' && path === '/uploads' && String(body).startsWith('4711-1.png'))
        return refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'No picture.');
      if (!path.startsWith('/api/commands/')) return undefined;
      const reason = { code: 'LIMIT', message: 'Too many.' };
      return { status: 200, body: { outcome: 'invalid', result: { outcome: 'invalid', reason } } };
    };
    const { exit, stdout } = await gondola(['publish', own]);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/4711-1 +0 +0 +- +UNSUPPORTED_MEDIA_TYPE: .*No picture/);
    expect(stdout).toMatch(/4711 +1 +1 +invalid +LIMIT: Too many\./);
  });

  it('publish stops if nothing more can succeed, and prints how many were not reached', async () => {
    const own = await pictures('4711-1.png', '4711.jpg');
    const { exit, stderr } = await gondola(['publish', own], { GONDOLA_UPLOAD_TOKEN: '' });
    expect([exit, stderr]).toEqual([4, expect.stringContaining('1 SKUs were not reached')]);
    expect(commands()).toEqual([]);
  });

  it('publish waits for outcomes up to the given limit, and exits with 3 if there is none', async () => {
    const own = await pictures('4711.jpg');
    let looks = 0;
    apps.answer = ({ path }) => {
      if (!path.startsWith('/api/commands/')) return undefined;
      looks += 1;
      return looks < 3 ? { status: 404, body: { error: { code: 'NOT_FOUND', message: '' } } } : undefined;
    };
    expect(await gondola(['publish', own])).toMatchObject({ exit: 0 });
    apps.answer = ({ path }) =>
      path.startsWith('/api/commands/') ? { status: 200, body: { outcome: null, result: null } } : undefined;
    const { exit, stdout } = await gondola(['publish', own, '--wait', '0m']);
    expect([exit, stdout]).toEqual([3, expect.stringContaining('continues by itself')]);
  });

  it('publish counts the wait from the last upload on, however long the uploads took', async () => {
    const own = await pictures('4711.jpg');
    let now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
    let looks = 0;
    apps.answer = ({ method, path }) => {
      if (method === 'POST' && path === '/uploads') now += 3_600_000;
      if (!path.startsWith('/api/commands/')) return undefined;
      looks += 1;
      return looks < 2 ? refusal(404, 'NOT_FOUND', '') : undefined;
    };
    const { exit } = await gondola(['publish', own, '--wait', '10m']).finally(() => clock.mockRestore());
    expect({ exit, looks }).toEqual({ exit: 0, looks: 2 });
  });

  it('publish continues with the other SKUs if a picture cannot be read', async () => {
    const own = await pictures('4711-1.png', '4711.jpg');
    apps.answer = ({ path }) => {
      if (path === '/api/skus/known') rmSync(join(own, '4711-1.png'), { force: true });
      return undefined;
    };
    const { exit, stdout } = await gondola(['publish', own]);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/4711-1 +0 +0 +- +FILE_UNREADABLE: .*ENOENT/);
    expect(stdout).toMatch(/4711 +1 +1 +applied/);
  });

  it('publish reports that there is no picture', async () => {
    expect(await gondola(['publish', await pictures('a.txt')])).toMatchObject({ exit: 2 });
    expect(apps.received).toEqual([]);
  });

  it('list shows the addresses that the command found', async () => {
    const { exit, stdout } = await gondola(['list', '4711-1', '--tenant', 'acme']);
    expect([exit, stdout]).toEqual([0, 'ADDRESS\nhttps://files.example.com/a.png\n']);
    const asked = { command: 'ListFiles', externalReference: '4711-1', fileType: 'SKU', tenant: 'acme' };
    expect(commands()).toEqual([{ ...asked, commandId: expect.stringMatching(/^cli-/) }]);
  });

  it('remove shows what it would remove, and does it when that is confirmed', async () => {
    const asked = [
      'remove',
      '4711',
      '--type',
      'Product',
      '--url',
      'https://f.example.com/a.png',
      'https://f.example.com/b.png',
    ];
    expect(await gondola(asked)).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^Nothing was removed.* 2 files/),
    });
    expect(apps.received).toEqual([]);
    expect(await gondola([...asked, '--confirm'])).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/outcome +applied/),
    });
    const urls = ['https://f.example.com/a.png', 'https://f.example.com/b.png'];
    const given = { command: 'RemoveFiles', externalReference: '4711', fileType: 'Product', urls };
    expect(commands()).toMatchObject([given]);
    expect(commands()[0]).not.toHaveProperty('storageIds');
  });

  it('remove removes all files of an entity, and rejects an ambiguous request', async () => {
    expect(await gondola(['remove', '--entity', 'e-1'])).toMatchObject({ exit: 0 });
    for (const wrong of [
      ['remove'],
      ['remove', '4711'],
      ['remove', '4711', '--entity', 'e-1'],
      ['remove', '--url', 'x'],
    ])
      expect(await gondola(wrong)).toMatchObject({ exit: 2 });
    expect(apps.received).toEqual([]);
    await gondola(['remove', '--entity', 'e-1', '--confirm']);
    expect(commands()).toMatchObject([{ command: 'RemoveAllFiles', entityId: 'e-1', confirm: true }]);
  });

  afterEach(() => rm(folder, { recursive: true }));
});
