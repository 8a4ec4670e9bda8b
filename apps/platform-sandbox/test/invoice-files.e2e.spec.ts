import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope } from './support/receiver.ts';
import { Shop, type Answer, type FormFile, type Merchant } from './support/shop.ts';

const ONLY_PDF = { status: 400, json: { error: { message: 'Apenas arquivos PDF são permitidos' } } };
const PDF: FormFile = { content: '%PDF-1.4 nota', type: 'application/pdf', name: 'nota ç.pdf' };

interface OrderView {
  status: number;
  invoice: unknown;
  invoiceFile: { url: string } | null;
}

describe('the file of an invoice', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.stockedMerchant();
  });
  afterEach(async () => {
    await shop.admin('POST', '/switches', { invoiceAnswer: 'url' });
  });
  afterAll(() => shop.close());

  async function prepared(): Promise<{ number: number; id: string }> {
    const order = await shop.buy(merchant);
    await shop.admin('POST', `/orders/${order.number}/status`, { status: 400 });
    return order;
  }

  function upload(orderId: string, files: readonly FormFile[] = [PDF], by = merchant): Promise<Answer> {
    return shop.upload(by, `/v1/Storages/invoice/upload?orderId=${orderId}`, { files });
  }

  async function attached(orderId: string, files?: readonly FormFile[]): Promise<string> {
    const answer = await upload(orderId, files);
    expect(answer).toMatchObject({ status: 200, json: { operationId: expect.any(String) } });
    await shop.idle();
    return (answer.json as { operationId: string }).operationId;
  }

  function read(orderId: string, by = merchant): Promise<Answer> {
    return shop.call('GET', `/v1/Storages/invoice?orderId=${orderId}`, { headers: by.headers });
  }

  async function view(number: number): Promise<OrderView> {
    return (await shop.admin('GET', `/orders/${number}`)) as OrderView;
  }

  function notifiedBy(operationId: string): Envelope[] {
    return shop.envelopesOf(merchant).filter((envelope) => envelope.operationId === operationId);
  }

  it('is attached by the GUID of the order, byte for byte; a successful upload emits no event', async () => {
    const { number, id } = await prepared();
    const operationId = await attached(id);
    expect(notifiedBy(operationId)).toEqual([]);
    const { invoiceFile, status } = await view(number);
    expect(status).toBe(400);
    expect(invoiceFile).toEqual({
      fileName: 'nota ç.pdf',
      contentType: 'application/pdf',
      size: 13,
      sha256: createHash('sha256').update(String(PDF.content)).digest('hex'),
      url: expect.stringContaining('/files/'),
      uploads: 1,
    });
    const file = await fetch(invoiceFile?.url ?? '');
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(await file.text()).toBe(PDF.content);
  });

  it.each([
    ['application/xml', '<nfe/>'],
    ['image/png', 'png'],
    ['text/plain', '%PDF-1.4'],
    ['application/octet-stream', '%PDF-1.4'],
  ])('of type %s is a 400 with the exact message, the NF-e XML included', async (type, content) => {
    const { number, id } = await prepared();
    expect(await upload(id, [{ content, type }])).toMatchObject(ONLY_PDF);
    expect(await upload(id, [PDF, { content, type }])).toMatchObject(ONLY_PDF);
    await shop.idle();
    expect((await view(number)).invoiceFile).toBeNull();
  });

  it('is checked by the type of its part alone', async () => {
    const { number, id } = await prepared();
    await attached(id, [{ content: '<nfe/>', type: 'Application/PDF; version=1.7' }]);
    expect((await view(number)).invoiceFile).toMatchObject({ contentType: 'application/pdf' });
  });

  it.each([
    ['application/xml', ONLY_PDF],
    ['application/pdf', { status: 400, json: { error: { code: 'UPLOAD_INVALID' } } }],
    ['multipart/form-data', { status: 400, json: { error: { code: 'FORM_MALFORMED' } } }],
    ['multipart/form-data; boundary=x', { status: 400, json: { error: { code: 'FORM_MALFORMED' } } }],
  ])('in a body of type %s, which is not a form, is a 400', async (type, answer) => {
    const { id } = await prepared();
    const headers = { ...merchant.headers, 'content-type': type };
    const path = `/v1/Storages/invoice/upload?orderId=${id}`;
    expect(await shop.call('POST', path, { body: '%PDF-1.4', headers })).toMatchObject(answer);
  });

  it('requires one part named files, and an orderId', async () => {
    const { id } = await prepared();
    expect((await upload(id, [])).status).toBe(400);
    expect((await upload(id, [PDF, PDF])).status).toBe(400);
    expect((await shop.upload(merchant, '/v1/Storages/invoice/upload', { files: [PDF] })).status).toBe(400);
  });

  it('replaces the earlier one', async () => {
    const { number, id } = await prepared();
    await attached(id);
    await attached(id, [{ ...PDF, content: 'second' }]);
    const { invoiceFile } = await view(number);
    expect(invoiceFile).toMatchObject({ uploads: 2, size: 6 });
    expect(await (await fetch(invoiceFile?.url ?? '')).text()).toBe('second');
  });

  it('of a missing order is refused as Operation_Failed, and not stored', async () => {
    const other = await shop.merchant();
    const { id } = await prepared();
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(notifiedBy(await attached(unknown))).toMatchObject([
      {
        eventType: 'Operation_Failed',
        relatedEntity: 'Order',
        data: { id: unknown, number: null, status: null },
        error: { statusCode: 404 },
      },
    ]);
    await upload(id, [PDF], other);
    await shop.idle();
    expect(shop.envelopesOf(other)).toMatchObject([{ eventType: 'Operation_Failed', error: { statusCode: 404 } }]);
  });

  it('by the number of its order, in place of the GUID, is refused as Operation_Failed', async () => {
    const { number } = await prepared();
    expect(notifiedBy(await attached(String(number)))).toMatchObject([
      { eventType: 'Operation_Failed', error: { statusCode: 404 } },
    ]);
    expect((await view(number)).invoiceFile).toBeNull();
  });

  it.each([750, 800, 1000])('of an order in %d is refused as Operation_Failed', async (status) => {
    const { number, id } = await prepared();
    await shop.admin('POST', `/orders/${number}/status`, { status });
    expect(notifiedBy(await attached(id))).toMatchObject([
      { eventType: 'Operation_Failed', data: { id, number, status }, error: { statusCode: 409 } },
    ]);
    expect((await view(number)).invoiceFile).toBeNull();
  });

  it('is refused on demand', async () => {
    const { number, id } = await prepared();
    await shop.admin('POST', '/faults', [{ route: '/invoice/upload', kind: 'refuse', status: 422, times: 1 }]);
    expect(notifiedBy(await attached(id))).toMatchObject([
      { eventType: 'Operation_Failed', error: { statusCode: 422 } },
    ]);
    expect((await view(number)).invoiceFile).toBeNull();
  });

  it.each([
    ['drop-before', false],
    ['drop-after', true],
  ])('with the fault %s gets no answer; the file is stored: %s', async (kind, isThere) => {
    const { number, id } = await prepared();
    await shop.admin('POST', '/faults', [{ route: '/invoice/upload', kind, times: 1 }]);
    await expect(upload(id)).rejects.toThrow('fetch failed');
    await shop.idle();
    expect((await view(number)).invoiceFile !== null).toBe(isThere);
  });

  it('is read by the GUID of the order: 404 before, then its URL, or the file itself if the switch is set', async () => {
    const other = await shop.merchant();
    const { number, id } = await prepared();
    expect((await read(id)).status).toBe(404);
    expect((await read('none')).status).toBe(404);
    await attached(id);
    const { invoiceFile } = await view(number);
    expect(await read(id.toUpperCase())).toMatchObject({
      status: 200,
      json: { url: invoiceFile?.url, fileName: 'nota ç.pdf', contentType: 'application/pdf', size: 13 },
    });
    await shop.admin('POST', '/switches', { invoiceAnswer: 'file' });
    const answer = await read(id);
    expect(answer.text).toBe(PDF.content);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect((await read(id, other)).status).toBe(404);
  });

  it('is kept over a restart', async () => {
    const { number, id } = await prepared();
    const content = new Uint8Array(2_000_000).map((_, index) => index % 251);
    await attached(id, [{ content, type: 'application/pdf' }]);
    await shop.stop();
    await shop.start();
    const file = await fetch((await view(number)).invoiceFile?.url ?? '');
    expect(Buffer.from(await file.arrayBuffer()).equals(Buffer.from(content))).toBe(true);
  });

  it('is logged by its parts, without its content', async () => {
    const { id } = await prepared();
    await attached(id);
    const requests = (await shop.admin('GET', '/requests')) as Record<string, unknown>[];
    expect(requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/Storages/invoice/upload',
      query: `orderId=${id}`,
      body: { parts: [{ name: 'files', fileName: 'nota ç.pdf', contentType: 'application/pdf', size: 13 }] },
    });
  });
});
