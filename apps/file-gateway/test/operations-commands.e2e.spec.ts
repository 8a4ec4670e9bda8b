import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { png } from './support/contents.ts';
import { FileApp } from './support/file-app.ts';
import { OTHER_TOKEN, TOKEN } from './support/tenants.ts';

describe('a file command of the operations API', () => {
  let app: FileApp;

  beforeAll(async () => {
    app = await FileApp.start('operations-commands');
  });
  afterAll(() => app.stop());

  async function shown(commandId: string): Promise<Record<string, unknown>> {
    const find = async () => (await app.get(`/api/commands/${commandId}?tenant=acme`)).body as Record<string, unknown>;
    await app.until('the command to end', async () => typeof (await find())['outcome'] === 'string');
    return find();
  }

  it('passes the same intake as a record: one result on the topic, shown as published', async () => {
    await app.knowSku('4711-1');
    const uploadId = await app.upload(png());
    const commandId = randomUUID();
    const images = [{ order: 1, content: { uploadId } }];
    const asked = { commandId, command: 'PublishSkuImages', tenant: 'acme', skuExternalReference: '4711-1', images };
    expect(await app.give(asked)).toEqual({ status: 202, body: { tenant: 'acme', commandId } });
    expect(await app.give(asked)).toMatchObject({ status: 202 });
    const { value } = await app.resultOf(commandId);
    expect(await shown(commandId)).toMatchObject({ command: 'PublishSkuImages', outcome: 'applied', result: value });
    expect(app.platform.requestsOf('4711-1', 'POST')).toHaveLength(1);
  });

  it('shows what a list found', async () => {
    const commandId = randomUUID();
    const asked = { commandId, command: 'ListFiles', tenant: 'acme', externalReference: 'p-1', fileType: 'Product' };
    await app.give(asked);
    expect(await shown(commandId)).toMatchObject({ outcome: 'applied', result: { data: { urls: [] } } });
  });

  it('is taken only if it is one of the contract, and small enough', async () => {
    const good = { commandId: 'c', command: 'ReadInvoice', tenant: 'acme', orderNumber: 1 };
    for (const [wrong, status] of [
      [{ ...good, command: 'UploadInvoicePdf' }, 400],
      [{ ...good, command: 'Nothing' }, 400],
      [{ ...good, commandId: undefined }, 400],
      [{ ...good, tenant: undefined }, 400],
      [[good], 400],
      [{ ...good, note: 'x'.repeat(300_000) }, 413],
    ] as const)
      expect(await app.give(wrong)).toMatchObject({ status });
    expect(await app.get('/api/commands/c?tenant=acme')).toMatchObject({ status: 404 });
  });

  it('must name which references are SKUs', async () => {
    await app.knowSku('4711-2');
    const asked = { externalReferences: ['4711', '4711-2', '4711-2-1'] };
    expect(await app.send('/api/skus/known?tenant=acme', asked)).toEqual({ status: 200, body: { known: ['4711-2'] } });
    expect(await app.send('/api/skus/known?tenant=beta', asked)).toEqual({ status: 200, body: { known: [] } });
    expect(await app.send('/api/skus/known?tenant=acme', { externalReferences: [7] })).toMatchObject({ status: 400 });
  });

  it('needs no content to be sent twice: an upload is found by its SHA-256, by its own tenant', async () => {
    const uploaded = await app.post(png(), { authorization: `Bearer ${TOKEN}` });
    const { sha256, uploadId } = (await uploaded.json()) as { sha256: string; uploadId: string };
    const find = (hash: string, token: string) =>
      app.get(`/uploads?sha256=${hash}`, { authorization: `Bearer ${token}` });
    expect(await find(sha256.toUpperCase(), TOKEN)).toMatchObject({ status: 200, body: { uploadId } });
    expect(await find(sha256, OTHER_TOKEN)).toMatchObject({ status: 404 });
    expect(await find('0'.repeat(64), TOKEN)).toMatchObject({ status: 404 });
    expect(await find('x', TOKEN)).toMatchObject({ status: 400 });
    expect(await find(sha256, 'another')).toMatchObject({ status: 401 });
  });
});
