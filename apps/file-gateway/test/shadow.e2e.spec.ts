import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { tenantOn, TEST_ACCOUNT } from '@gondola/kafka/testing/test-installation';
import { skuMessage } from '@gondola/kafka/testing/sku-message';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pdf, png } from './support/contents.ts';
import { FileApp } from './support/file-app.ts';
import { ScriptedPlatform } from './support/scripted-platform.ts';

const SFTP = { username: 'u', password: { env: 'TEST_PLATFORM_PASSWORD' }, contractFolder: 'pasta' };
const HOST_KEY = `SHA256:${'a'.repeat(43)}`;
const hash = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

describe('the files of a tenant in shadow', () => {
  let app: FileApp;
  let platform: ScriptedPlatform;
  let sftp: Server;
  let sessions = 0;

  beforeAll(async () => {
    sftp = createServer((socket) => {
      sessions += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(sftp, 'listening');
    platform = await ScriptedPlatform.start();
    const { port } = sftp.address() as AddressInfo;
    const common = { mode: 'shadow', deadlines: { commandMs: 2_000, settleMs: 100 } };
    const drop = { host: '127.0.0.1', port, hostKeys: [HOST_KEY], ...SFTP };
    const byHttp = tenantOn(platform.url, { ...common, uploads: { tokens: [{ env: 'TEST_UPLOAD_TOKEN' }] } });
    const bySftp = tenantOn(platform.url, {
      ...common,
      id: 'beta',
      contractAccountId: TEST_ACCOUNT.replaceAll('1', '2'),
      uploads: { tokens: [{ env: 'TEST_OTHER_TOKEN' }] },
      sftp: drop,
    });
    app = await FileApp.start('fg-shadow', { tenants: [byHttp, bySftp] });
    await app.installation.readTopics('erp.files.results.v1', 'shadow.erp.files.results.v1');
  });

  afterAll(async () => {
    await app.stop();
    await platform.stop();
    sftp.close();
  });

  const leftOut = () =>
    app.installation.query<{ route: string; entity: string; body: string }>(
      'SELECT route, entity, body FROM shadow_calls ORDER BY id',
    );
  const ended = (commandId: string) => app.installation.resultOf('shadow.erp.files.results.v1', commandId);

  it('are stored as size and hash, by the ERP’s commands and by those of the saga, and nothing is sent', async () => {
    const content = pdf();
    const order = { number: 7, id: '0b000000-0000-4000-8000-000000000007' };
    // The saga's command comes on the topic of the shadow.
    const commandId = 'i-7/pdf';
    const uploadId = await app.upload(content);
    const value = {
      commandId,
      command: 'UploadInvoicePdf',
      orderNumber: order.number,
      orderId: order.id,
      content: { uploadId },
      parentCommandId: 'i-7',
    };
    await app.installation.send('shadow.erp.files.commands.v1', {
      key: '7',
      value: JSON.stringify(value),
      headers: { ce_tenant: 'acme' },
    });
    expect((await ended(commandId)).value).toMatchObject({ outcome: 'unconfirmed' });
    const file = { mediaType: 'application/pdf', size: content.length, sha256: hash(content) };
    const calls = await leftOut();
    expect(calls).toMatchObject([{ route: 'uploadInvoicePdf', entity: '7' }]);
    expect(JSON.parse(calls[0]!.body)).toMatchObject([file]);
    expect(calls[0]!.body).not.toContain('%PDF');
  });

  it('are placed on no SFTP server (rule 34)', async () => {
    await app.installation.send('shadow.catalog.skus.v1', skuMessage('beta', { skuExternalReference: '1-a' }));
    await app.until('the SKU', () => app.isKnown('1-a'));
    const uploadId = await app.upload(png(), 'upload-token-of-beta-for-tests');
    const commandId = randomUUID();
    const images = [{ order: 1, content: { uploadId } }];
    const command = { commandId, command: 'PublishSkuImages', skuExternalReference: '1-a', images };
    await app.command(command, { ce_tenant: 'beta' });
    await ended(commandId);
    expect((await leftOut()).filter(({ entity }) => entity === '1-a')).toMatchObject([{ route: 'linkImages' }]);
    expect(sessions).toBe(0);
    expect(platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(app.installation.records('erp.files.results.v1')).toEqual([]);
  });
});

describe('the comparison of files in shadow', () => {
  it('finds an invoice without its PDF, and one that has it late', async () => {
    const platform = await ScriptedPlatform.start();
    const tenant = tenantOn(platform.url, {
      mode: 'shadow',
      deadlines: { commandMs: 2_000, settleMs: 100 },
      uploads: { tokens: [{ env: 'TEST_UPLOAD_TOKEN' }] },
    });
    const app = await FileApp.start('fg-compared', { tenants: [tenant] });
    try {
      const order = { number: 8, id: '0b000000-0000-4000-8000-000000000008' };
      platform.on.payload = () => ({ status: 200, json: { number: order.number, id: order.id } });
      const uploadId = await app.upload(pdf());
      await app.attach(order, uploadId, 'i-8');
      const differences = async () =>
        ((await app.get('/api/shadow/differences')).body as { entries: Record<string, unknown>[] }).entries;
      await app.until('the missing PDF', async () => (await differences()).length === 1);
      expect(await differences()).toMatchObject([
        { kind: 'only-gondola', route: 'uploadInvoicePdf', entity: '8', commandId: 'i-8/pdf', shop: null },
      ]);
      platform.invoices.set(order.id, [{ name: '8.pdf', type: 'application/pdf', bytes: pdf() }]);
      await app.until('the late PDF', async () => (await differences())[0]!['kind'] === 'late');
      expect(platform.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    } finally {
      await app.stop();
      await platform.stop();
    }
  });
});
