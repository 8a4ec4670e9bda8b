import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import ssh2, { type Connection } from 'ssh2';
import { PinnedKeys } from '../src/sftp/pinned-keys.ts';
import { SftpConnection } from '../src/sftp/sftp-connection.adapter.ts';
import { png } from './support/contents.ts';
import { FileApp } from './support/file-app.ts';
import { SandboxShop, SFTP_PASSWORD, SFTP_USER } from './support/sandbox-shop.ts';
import { SshServer, type SshServerOptions } from './support/ssh-server.ts';
import { TcpLine } from './support/tcp-line.ts';
import { TENANT, TOKEN } from './support/tenants.ts';

const { STATUS_CODE } = ssh2.utils.sftp;
const LIMIT = 130_000;
const ACCOUNTS = {
  [TENANT]: '11111111-1111-4111-8111-111111111111',
  wrong: '22222222-2222-4222-8222-222222222222',
  nameless: '33333333-3333-4333-8333-333333333333',
};
const NAMELESS_TOKEN = 'upload-token-of-nameless-for-tests';
const WRONG_TOKEN = 'upload-token-of-wrong-for-tests';

let shop: SandboxShop;
let line: TcpLine;
let app: FileApp;
/** A server that writes no names but those of pictures. */
let picturesOnly: SshServer;

beforeAll(async () => {
  shop = await SandboxShop.open('sftp');
  line = await TcpLine.to(shop.sftp.port);
  picturesOnly = await SshServer.start({ welcome: servePicturesOnly });
  const env = {
    TEST_SFTP_PASSWORD: SFTP_PASSWORD,
    TEST_WRONG_PASSWORD: 'another',
    TEST_WRONG_TOKEN: WRONG_TOKEN,
    TEST_NAMELESS_TOKEN: NAMELESS_TOKEN,
    IMAGE_REQUEST_MAX_BYTES: String(LIMIT),
    READ_BACK_MS: '50',
  };
  const tenants = [
    tenant(TENANT, 'TEST_UPLOAD_TOKEN'),
    tenant('wrong', 'TEST_WRONG_TOKEN', 'TEST_WRONG_PASSWORD'),
    tenant('nameless', 'TEST_NAMELESS_TOKEN', 'TEST_SFTP_PASSWORD', { linkedNamesField: null }),
  ];
  app = await FileApp.start('sftp', { env, tenants });
});

afterEach(async () => {
  line.target = shop.sftp.port;
  await shop.sandbox.admin('DELETE', '/faults');
});

afterAll(async () => {
  await app?.stop();
  await line?.close();
  await picturesOnly?.stop();
  await shop?.close();
});

function tenant(
  id: keyof typeof ACCOUNTS,
  token: string,
  password = 'TEST_SFTP_PASSWORD',
  profile: Record<string, unknown> = {},
): object {
  const { contractFolder, hostKeyFingerprint } = shop.sftp;
  return {
    id,
    contractAccountId: ACCOUNTS[id],
    platform: { baseUrl: shop.sandbox.url, username: 'erp-one', password: { env: 'TEST_PLATFORM_PASSWORD' }, profile },
    uploads: { tokens: [{ env: token }] },
    deadlines: { commandMs: 3_600_000, settleMs: 500 },
    sftp: {
      host: '127.0.0.1',
      port: line.port,
      username: SFTP_USER,
      password: { env: password },
      hostKeys: [hostKeyFingerprint, picturesOnly.fingerprint],
      contractFolder,
    },
  };
}

function servePicturesOnly(connection: Connection): void {
  connection.on('session', (accept) =>
    accept().on('sftp', (acceptSftp) => {
      const sftp = acceptSftp();
      sftp.on('OPENDIR', (id) => sftp.status(id, STATUS_CODE.PERMISSION_DENIED));
      sftp.on('STAT', (id) => sftp.status(id, STATUS_CODE.NO_SUCH_FILE));
      sftp.on('OPEN', (id) => sftp.status(id, STATUS_CODE.PERMISSION_DENIED));
    }),
  );
}

async function known(sku: string, id: keyof typeof ACCOUNTS = TENANT): Promise<void> {
  await shop.sell(ACCOUNTS[id], sku);
  await app.knowSku(sku, id);
}

async function publish(sku: string, contents: readonly Buffer[], replace = false): Promise<string> {
  const ids = await Promise.all(contents.map((content) => app.upload(content)));
  return app.publish(sku, ids, TENANT, replace);
}

const shown = (sku: string, id: keyof typeof ACCOUNTS = TENANT) => shop.pictures(ACCOUNTS[id], sku);

async function blockedBy(sku: string, id: keyof typeof ACCOUNTS = TENANT): Promise<unknown> {
  const { body } = await app.get(`/api/skus/${sku}/images?tenant=${id}`);
  return (body as { openCommands: { blocked: unknown }[] }).openCommands[0]?.blocked;
}

async function blockedMetric(): Promise<string[]> {
  const text = await (await fetch(`${app.installation.running.url}/metrics`)).text();
  return text.split('\n').filter((sample) => sample.startsWith('gondola_sftp_blocked{'));
}

describe('PublishSkuImages of a tenant with SFTP (rule 34)', () => {
  it('places the images, links them in one ordered call, and ends as it does by HTTP', async () => {
    const sku = '4711/ç 1';
    await known(sku);
    const contents = [png(), png(100_000), png()];
    const [first, second, third] = await Promise.all(contents.map((content) => app.upload(content)));
    const commandId = randomUUID();
    const images = [
      { order: 3, content: { uploadId: third } },
      { order: 1, content: { uploadId: first } },
      { order: 2, content: { uploadId: second } },
    ];
    await app.command({ commandId, command: 'PublishSkuImages', skuExternalReference: sku, images });
    const { value } = await app.resultOf(commandId);
    expect(value).toMatchObject({
      outcome: 'applied',
      evidence: 'read-back',
      attempts: 1,
      operationIds: [expect.any(String)],
      errors: [],
      warnings: [],
    });
    expect(await shown(sku)).toEqual(contents);
    const [call, ...others] = await shop.uploads('4711');
    expect(others).toEqual([]);
    const parts = (call!.body as { parts: { name: string }[] }).parts.map(({ name }) => name);
    expect(parts).toEqual(['orders', 'orders', 'orders', 'fileNames', 'fileNames', 'fileNames']);
  });

  it('sends nothing again that is unchanged, and the images of one upload again together', async () => {
    await known('again');
    const [one, two, three] = [png(), png(), png()];
    expect((await app.resultOf(await publish('again', [one, two]))).value).toMatchObject({ outcome: 'applied' });
    const before = line.connections;
    const repeat = await app.resultOf(await publish('again', [one, two]));
    expect(repeat.value).toMatchObject({ outcome: 'unchanged', attempts: 0 });
    expect(line.connections).toBe(before);
    const changed = await app.resultOf(await publish('again', [one, three]));
    expect(changed.value).toMatchObject({ outcome: 'applied', attempts: 2, warnings: [] });
    expect(line.connections).toBe(before + 1);
    expect(await shown('again')).toEqual([one, three]);
  });

  it('replaces the other images once its own are there', async () => {
    await known('replaced');
    await app.resultOf(await publish('replaced', [png(), png()]));
    const own = [png(), png(), png()];
    const { value } = await app.resultOf(await publish('replaced', own, true));
    expect(value).toMatchObject({ outcome: 'applied', evidence: 'read-back', attempts: 2 });
    expect(await shown('replaced')).toEqual(own);
  });

  it('links split requests one after the other, in their order', async () => {
    await known('split');
    const contents = [png(60_000), png(60_000), png(60_000), png(60_000), png()];
    const { value } = await app.resultOf(await publish('split', contents));
    expect(value).toMatchObject({ outcome: 'applied', attempts: 2 });
    expect(await shown('split')).toEqual(contents);
  });

  it.each(['drop-before', 'drop-after', 'error-before', 'error-after'])(
    'has each image once where the answer of the linking call is lost: %s (rule 16)',
    async (kind) => {
      const sku = `lost-${kind}`;
      await known(sku);
      await shop.fault({ kind });
      const contents = [png(), png()];
      const commandId = await publish(sku, contents);
      expect((await app.resultOf(commandId)).value).toMatchObject({ outcome: 'applied', evidence: 'read-back' });
      expect(await shown(sku)).toEqual(contents);
      expect(app.results(commandId)).toHaveLength(1);
    },
  );

  it('continues after a cut connection: while it opens, while files are written, around their renaming', async () => {
    await known('measured');
    line.mostSent = 0;
    await app.resultOf(await publish('measured', [png(50_000), png(50_000)]));
    // The last bytes belong to closing, checking, renaming and leaving.
    const near = (left: number): number => line.mostSent - left;
    const cuts = [100, 1_000, 3_000, 60_000, ...[1_500, 900, 700, 600, 500, 400, 300, 250, 200, 120].map(near)];
    for (const [index, bytes] of cuts.entries()) {
      const sku = `cut-${index}`;
      await known(sku);
      line.cutAfter(bytes);
      const contents = [png(50_000), png(50_000)];
      const commandId = await publish(sku, contents);
      expect((await app.resultOf(commandId)).value).toMatchObject({ outcome: 'applied', attempts: 1 });
      expect(await shown(sku)).toEqual(contents);
    }
    expect(line.isCut).toBe(true);
    expect(app.installation.logLines.filter((entry) => entry.includes('"outcome":"broken-off"'))).not.toEqual([]);
  });

  it.each<[string, string, string, SshServerOptions]>([
    ['with another host key', 'host-key', 'other host keys', {}],
    [
      'without a common algorithm',
      'no-common-algorithm',
      'no algorithm in common',
      { algorithms: { kex: ['diffie-hellman-group14-sha1'] } },
    ],
  ])(
    'shows nothing to a server %s, publishes why it waits, and continues with the right server',
    async (_which, reason, message, options) => {
      const sku = `pinned-${reason}`;
      await known(sku);
      const impostor = await SshServer.start(options);
      try {
        line.target = impostor.port;
        const contents = [png()];
        const commandId = await publish(sku, contents);
        await app.until('the block', async () => (await blockedBy(sku)) === `sftp-${reason}`);
        expect(await blockedMetric()).toEqual([`gondola_sftp_blocked{tenant="${TENANT}",reason="${reason}"} 1`]);
        const alert = app.installation.logLines.find((entry) => entry.includes(message));
        expect(JSON.parse(alert!)).toMatchObject({ level: 'error', tenant: TENANT, outcome: reason });
        expect(impostor.attempts).toEqual([]);
        expect(await shop.uploads(sku)).toEqual([]);
        line.target = shop.sftp.port;
        expect((await app.resultOf(commandId)).value).toMatchObject({ outcome: 'applied', attempts: 1 });
        expect(await shown(sku)).toEqual(contents);
        expect(await blockedMetric()).toEqual([]);
      } finally {
        await impostor.stop();
      }
    },
  );

  it('waits where the server lets only names of pictures pass, and says the step and what to allow', async () => {
    await known('strict');
    line.target = picturesOnly.port;
    await publish('strict', [png()]);
    await app.until('the block', async () => (await blockedBy('strict')) === 'sftp-refused-write');
    const warning = app.installation.logLines.find((entry) => entry.includes('also names that end in .part'));
    const detail = 'status 3 (PERMISSION_DENIED)';
    expect(JSON.parse(warning!)).toMatchObject({ level: 'warn', tenant: TENANT, outcome: 'refused-write', detail });
    line.target = shop.sftp.port;
    await known('not-strict');
    expect((await app.resultOf(await publish('not-strict', [png()]))).value).toMatchObject({ outcome: 'applied' });
  });

  it('waits with the reason where the password is wrong, and holds up no other tenant (guarantee 5)', async () => {
    await known('locked', 'wrong');
    await app.publish('locked', [await app.upload(png(), WRONG_TOKEN)], 'wrong');
    await app.until('the block', async () => (await blockedBy('locked', 'wrong')) === 'sftp-credentials');
    expect(await blockedMetric()).toEqual(['gondola_sftp_blocked{tenant="wrong",reason="credentials"} 1']);
    await known('free');
    expect((await app.resultOf(await publish('free', [png()]))).value).toMatchObject({ outcome: 'applied' });
    expect(await shown('locked', 'wrong')).toEqual([]);
  });

  describe('where files are found by their names alone', () => {
    let folder: string;
    let drop: SftpConnection;

    beforeAll(async () => {
      const { port, contractFolder, hostKeyFingerprint } = shop.sftp;
      folder = `/${contractFolder}/${ACCOUNTS.nameless}/SKUs/Integracao`;
      const login = { username: SFTP_USER, password: SFTP_PASSWORD, hostKeys: new PinnedKeys([hostKeyFingerprint]) };
      const limits = { connectMs: 30_000, signal: new AbortController().signal };
      drop = await SftpConnection.open({ host: '127.0.0.1', port, ...login }, limits);
      await shop.sandbox.admin('POST', '/switches', { linkingKey: null });
    });

    afterAll(async () => {
      await shop.sandbox.admin('POST', '/switches', { linkingKey: 'fileNames' });
      drop.close();
    });

    it.each([
      ['does not link what was left before', 'left', ['left_1.jpg', 'left_2.png', 'left-1_1.png']],
      [
        'removes what a cut session did not finish',
        'unfinished',
        ['unfinished_3.jpg.part', 'unfinished_1.png.part', 'unfinished-1_1.png.part'],
      ],
    ])('%s, and leaves other SKUs theirs', async (_what, sku, left) => {
      await known(sku, 'nameless');
      for (const name of left) await drop.write(`${folder}/${name}`, [png()]);
      const content = png();
      const commandId = await app.publish(sku, [await app.upload(content, NAMELESS_TOKEN)], 'nameless');
      expect((await app.resultOf(commandId)).value).toMatchObject({ outcome: 'applied', attempts: 1 });
      expect(await shown(sku, 'nameless')).toEqual([content]);
      expect((await drop.names(folder)).filter((name) => name.startsWith(sku))).toEqual(left.slice(-1));
    });
  });

  it('has neither password nor names of files in its log', () => {
    const log = app.installation.logLines.join('\n');
    expect(log).not.toContain(SFTP_PASSWORD);
    expect(log).not.toMatch(/\w\.part/);
    expect(log).not.toContain(TOKEN);
  });
});
