import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@gondola/local-stack/wait-for';
import { TestServer } from '@gondola/local-stack/testing/test-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { NFE_XML, pdf, png } from './support/contents.ts';
import { DnsServer } from './support/dns-server.ts';
import { FileApp } from './support/file-app.ts';
import { TENANT } from './support/tenants.ts';

const HOST = 'cdn.example.com';

describe('content by url and path', () => {
  let app: FileApp;
  let shop: TestServer;
  let dns: DnsServer;
  let root: string;
  let served: Map<string, Buffer | number>;
  const asked: string[] = [];

  beforeAll(async () => {
    served = new Map();
    shop = await TestServer.start(({ path }, response) => {
      asked.push(path);
      const found = served.get(path) ?? 404;
      response.writeHead(typeof found === 'number' ? found : 200).end(typeof found === 'number' ? undefined : found);
    });
    dns = await DnsServer.start();
    dns.name(HOST, () => ['127.0.0.1']);
    root = await mkdtemp(join(tmpdir(), 'gondola-files-'));
    await mkdir(join(root, TENANT));
    const env = { FETCH_DNS_SERVERS: dns.address, FETCH_RETRY_MS: '20', FILES_ROOT: root, UPLOAD_MAX_BYTES: '20000' };
    app = await FileApp.start('fetch-content', { env, allowedHosts: [new URL(urlOf('')).origin] });
    app.allowAddress('127.0.0.1');
  });

  afterEach(() => {
    app.platform.reset();
    asked.length = 0;
  });

  afterAll(async () => {
    await app.stop();
    await shop.stop();
    await dns.stop();
    await rm(root, { recursive: true, force: true });
  });

  const urlOf = (path: string) => `http://${HOST}:${new URL(shop.url).port}${path}`;

  async function publish(sku: string, contents: readonly object[]): Promise<string> {
    const commandId = randomUUID();
    const images = contents.map((content, index) => ({ order: index + 1, content }));
    await app.command({ commandId, command: 'PublishSkuImages', skuExternalReference: sku, images });
    return commandId;
  }

  async function reasonOf(path: string): Promise<unknown[]> {
    const { value } = await app.resultOf(await publish('wrong', [{ url: urlOf(path) }]));
    return [value['outcome'], (value['reason'] as { code: string }).code];
  }

  it('is fetched once, and sent to the platform in its order together with an upload (rules 31, 32)', async () => {
    const [one, two, three] = [png(), png(), png()];
    served.set('/one.png', one);
    await writeFile(join(root, TENANT, 'two.png'), two);
    await app.knowSku('fetched');
    const contents = [{ url: urlOf('/one.png') }, { path: 'two.png' }, { uploadId: await app.upload(three) }];
    const { value } = await app.resultOf(await publish('fetched', contents));
    expect(value).toMatchObject({ outcome: 'applied', attempts: 1 });
    const [request] = app.platform.requestsOf('fetched', 'POST');
    expect(request!.files.map(({ bytes }) => bytes)).toEqual([one, two, three]);
    expect(asked).toEqual(['/one.png']);
  });

  it('that is forbidden is invalid by its field, without a connection (rule 31)', async () => {
    const contents = [{ url: 'http://127.0.0.1/x.png' }, { url: 'https://elsewhere.example.com/x.png' }];
    const { value } = await app.resultOf(await publish('forbidden', contents));
    expect(value).toMatchObject({
      outcome: 'invalid',
      errors: [
        { code: 'CONTENT_NOT_ALLOWED', field: 'images[0].content.url', hint: expect.stringContaining('internet') },
        { code: 'CONTENT_NOT_ALLOWED', field: 'images[1].content.url', hint: expect.stringContaining('allowedHosts') },
      ],
    });
    const outside = await app.resultOf(await publish('forbidden', [{ path: '../beta/x.png' }]));
    expect(outside.value).toMatchObject({ outcome: 'invalid', reason: { code: 'CONTENT_NOT_ALLOWED' } });
    expect(asked).toEqual([]);
  });

  it('that is too large, missing or no image is invalid (rule 31)', async () => {
    served.set('/large.png', png(30_000));
    served.set('/document.txt', Buffer.from('nothing to see'));
    expect(await reasonOf('/large.png')).toEqual(['invalid', 'CONTENT_NOT_ALLOWED']);
    expect(await reasonOf('/missing.png')).toEqual(['invalid', 'CONTENT_NOT_ALLOWED']);
    expect(await reasonOf('/document.txt')).toEqual(['invalid', 'NOT_IMAGE']);
  });

  it('is asked for three times where its server does not deliver (rule 31)', async () => {
    served.set('/down.png', 503);
    const { value } = await app.resultOf(await publish('down', [{ url: urlOf('/down.png') }]));
    expect(value).toMatchObject({ outcome: 'invalid', reason: { code: 'CONTENT_NOT_ALLOWED' }, attempts: 0 });
    expect(asked).toEqual(['/down.png', '/down.png', '/down.png']);
  });

  it('waits for room where the quota of its tenant is full, and is fetched once there is some (rule 31)', async () => {
    served.set('/later.png', png());
    await app.knowSku('later');
    const full = randomUUID();
    await app.database.query(
      `INSERT INTO uploads (id, tenant, media_type, size, sha256, state, expires_at)
       VALUES ($1, $2, 'image/png', 9000000000000000, 'x', 'complete', now() + interval '1 hour')`,
      [full, TENANT],
    );
    const commandId = await publish('later', [{ url: urlOf('/later.png') }]);
    // More often than a server that does not deliver is asked.
    await waitFor(() => asked.length > 3, { describe: 'the content to be tried again' });
    await app.database.query('DELETE FROM uploads WHERE id = $1', [full]);
    expect((await app.resultOf(commandId)).value).toMatchObject({ outcome: 'applied' });
  });

  it('of an invoice is fetched for its check, and the checked content is sent (rules 31, 33)', async () => {
    const danfe = pdf();
    served.set('/danfe.pdf', danfe);
    const parentCommandId = randomUUID();
    const about = { orderNumber: 9, content: { url: urlOf('/danfe.pdf') }, parentCommandId };
    await app.command({ commandId: `${parentCommandId}/chk`, command: 'CheckInvoicePdf', ...about });
    expect((await app.resultOf(`${parentCommandId}/chk`)).value).toMatchObject({ outcome: 'applied' });
    served.set('/danfe.pdf', pdf());
    const orderId = randomUUID();
    await app.command({ commandId: `${parentCommandId}/pdf`, command: 'UploadInvoicePdf', orderId, ...about });
    expect((await app.resultOf(`${parentCommandId}/pdf`)).value).toMatchObject({ outcome: 'applied' });
    expect(app.platform.invoices.get(orderId)).toMatchObject([{ bytes: danfe }]);
    expect(asked).toEqual(['/danfe.pdf']);
  });

  it('that is the XML of an NF-e is no PDF, with a sentence that helps (rule 33)', async () => {
    await writeFile(join(root, TENANT, 'nfe.xml'), NFE_XML);
    const about = { orderNumber: 10, content: { path: 'nfe.xml' }, parentCommandId: 'p-10' };
    await app.command({ commandId: 'p-10/chk', command: 'CheckInvoicePdf', ...about });
    expect((await app.resultOf('p-10/chk')).value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'NOT_PDF', field: 'content.path', hint: expect.stringContaining('DANFE') },
    });
  });
});
