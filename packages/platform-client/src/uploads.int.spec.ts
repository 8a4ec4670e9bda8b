import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';
import { FILE_TYPES } from '@gondola/shared/fields/file-types';
import { type ImageUpload, uploadImagesSize, type FileContent } from './multipart.ts';
import { PlatformClient, type PlatformClientOptions } from './platform-client.ts';
import { HELD_MS, type HeldTimeouts, holdTimeouts } from './testing/held-timeouts.ts';
import { answer, ScriptedServer } from './testing/scripted-server.ts';
import { DEFAULT_WIRE_PROFILE } from './wire-profile.ts';

const GUID = '2f6d5b0e-9a53-4c6b-8f0e-6d0a4b1c2d3e';
const LONG_MS = 600_000;

let server: ScriptedServer;
let timeouts: HeldTimeouts;
let client: PlatformClient;

beforeEach(async () => {
  timeouts = holdTimeouts();
  server = new ScriptedServer();
  await server.start();
  client = clientOf();
});

afterEach(async () => {
  timeouts.release();
  await server.stop();
  await client.close();
});

function clientOf(options: Partial<PlatformClientOptions> = {}): PlatformClient {
  return new PlatformClient({
    tenant: 'acme',
    contractAccountId: '11111111-1111-4111-8111-111111111111',
    baseUrl: server.url,
    coreBaseUrl: server.url,
    username: 'erp-one',
    password: 'secret',
    concurrency: 1,
    profile: DEFAULT_WIRE_PROFILE,
    ...options,
  });
}

const image = (order: number, content: FileContent = new Blob([`image ${order}`])): ImageUpload => ({
  content,
  fileName: `${order}.png`,
  mediaType: 'image/png',
  order,
});

describe('an upload', () => {
  it('of images is one form of known length with the places in the sequence of the files (rule 32)', async () => {
    server.script(answer(200, JSON.stringify({ operationId: GUID })));
    const images = [image(2), image(1), image(3)];
    expect(await client.uploadImages('4711/1', images)).toEqual({ kind: 'accepted', operationId: GUID });

    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', url: '/v1/Storages/image/upload?externalReference=4711%2F1' });
    expect(request?.headers['content-length']).toBe(String(uploadImagesSize(images)));
    expect(request?.headers['transfer-encoding']).toBeUndefined();
    const headers = { 'content-type': request?.headers['content-type'] ?? '' };
    const form = await new Response(request?.body, { headers }).formData();
    expect(form.getAll('orders')).toEqual(['2', '1', '3']);
    const files = form.getAll('files') as File[];
    expect(files.map(({ name, type }) => [name, type])).toEqual(images.map(({ fileName }) => [fileName, 'image/png']));
    expect(await Promise.all(files.map((file) => file.text()))).toEqual(['image 2', 'image 1', 'image 3']);
  });

  it('that SFTP placed is linked by a form of names, in the sequence of their places (rule 34)', async () => {
    const placed = [
      { order: 2, fileName: '4711_2.png' },
      { order: 1, fileName: '4711_1.png' },
    ];
    const forms: FormData[] = [];
    for (const linkedNamesField of ['fileNames', 'ftpFiles', null]) {
      server.script(answer(200, JSON.stringify({ operationId: GUID })));
      const profile = { ...DEFAULT_WIRE_PROFILE, linkedNamesField };
      const own = clientOf({ profile });
      expect(await own.linkImages('4711/1', placed)).toEqual({ kind: 'accepted', operationId: GUID });
      await own.close();
      const request = server.requests.at(-1);
      expect(request).toMatchObject({ method: 'POST', url: '/v1/Storages/image/upload?externalReference=4711%2F1' });
      const headers = { 'content-type': request?.headers['content-type'] ?? '' };
      forms.push(await new Response(request?.body, { headers }).formData());
    }
    expect(forms.map((form) => [...form])).toEqual([
      [
        ['orders', '2'],
        ['orders', '1'],
        ['fileNames', '4711_2.png'],
        ['fileNames', '4711_1.png'],
      ],
      [
        ['orders', '2'],
        ['orders', '1'],
        ['ftpFiles', '4711_2.png'],
        ['ftpFiles', '4711_1.png'],
      ],
      [
        ['orders', '2'],
        ['orders', '1'],
      ],
    ]);
  });

  it('of images is undone with the same form (rule 35)', async () => {
    server.script(answer(200, ''));
    expect(await client.undoImages('4711/1', [image(2), image(1)])).toEqual({ kind: 'accepted', operationId: null });
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'DELETE', url: '/v1/Storages/image/upload?externalReference=4711%2F1' });
    expect(request?.body).toContain('image 2');
  });

  it("of an invoice goes to the order's GUID with a PDF part, and waits for no undocumented answer (rule 33)", async () => {
    server.script(answer(200, ''));
    const pdf = { content: new Blob(['%PDF-1.7']), fileName: '8812.pdf' };
    expect(await client.uploadInvoicePdf(GUID, pdf)).toEqual({ kind: 'accepted', operationId: null });
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: `/v1/Storages/invoice/upload?orderId=${GUID}` });
    expect(server.requests[0]?.body).toContain('name="files"; filename="8812.pdf"\r\nContent-Type: application/pdf');
  });

  it('that the platform refuses is told with its words (rule 33)', async () => {
    server.script(answer(400, 'Apenas arquivos PDF são permitidos'));
    const pdf = { content: new Blob(['x']), fileName: 'x.pdf' };
    const refused = { kind: 'refused', status: 400, message: 'Apenas arquivos PDF são permitidos' };
    expect(await client.uploadInvoicePdf(GUID, pdf)).toEqual(refused);
  });

  it('may take longer than other calls (rule 36)', async () => {
    await client.close();
    client = clientOf({ timeoutMs: HELD_MS, uploadTimeoutMs: LONG_MS, concurrency: 2 });
    const held: ServerResponse[] = [];
    server.script((response) => held.push(response));
    const upload = client.uploadImages('4711-1', [image(1)]);
    const read = client.getOrderStatus('7');
    await waitFor(() => held.length === 2, { describe: 'both calls' });
    timeouts.timeOut();
    expect(await read).toMatchObject({ kind: 'unavailable', cause: 'timeout' });
    for (const response of held) response.end(`{"operationId":"${GUID}"}`);
    expect(await upload).toEqual({ kind: 'accepted', operationId: GUID });
    await client.close();
    client = clientOf({ timeoutMs: LONG_MS, uploadTimeoutMs: HELD_MS });
    server.script(() => timeouts.timeOut());
    expect(await client.uploadImages('4711-1', [image(1)])).toEqual({ kind: 'unknown', cause: 'timeout' });
  });

  it('whose content cannot be read is a fault of ours: the platform gets no whole body, and the circuit breaker stays closed', async () => {
    const cause = new Error('storage away');
    const broken: FileContent = {
      size: 1_000_000,
      async *stream() {
        yield Buffer.alloc(500_000);
        throw cause;
      },
    };
    for (let n = 0; n < 6; n += 1) {
      const call = client.uploadImages(`471${n}-1`, [image(1, broken)]);
      await expect(call).rejects.toMatchObject({ code: 'CONTENT_NOT_READABLE', cause });
    }
    expect(server.requests).toHaveLength(0);
    expect(client.openUntil('uploadImages')).toBeNull();
  });

  it('of many megabytes arrives whole, piece by piece', async () => {
    server.script(answer(200, JSON.stringify({ operationId: GUID })));
    const piece = Buffer.alloc(1_000_000, 7);
    const large: FileContent = {
      size: 20 * piece.length,
      async *stream() {
        for (let n = 0; n < 20; n += 1) yield piece;
      },
    };
    expect(await client.uploadImages('4711-1', [image(1, large)])).toMatchObject({ kind: 'accepted' });
    expect(server.requests[0]?.body.length).toBeGreaterThan(large.size);
  });
});

describe('the list of files', () => {
  it('is a list of addresses', async () => {
    server.script(answer(200, '["https://files.example.com/1.png"]'));
    const found = { kind: 'found', value: ['https://files.example.com/1.png'] };
    expect(await client.listFiles('4711-1', FILE_TYPES.SKU)).toMatchObject(found);
  });

  it.each(['{}', 'null', '[1]', '"x"'])('is unreadable when it is %s', async (body) => {
    server.script(answer(200, body));
    expect(await client.listFiles('4711-1', FILE_TYPES.SKU)).toMatchObject({
      kind: 'unavailable',
      cause: 'unreadable',
    });
  });
});
