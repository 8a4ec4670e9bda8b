import { describe, expect, it } from '@jest/globals';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { readFileWork } from './file-command.ts';

const GUID = '2f6d5b0e-9a53-4c6b-8f0e-6d0a4b1c2d3e';
const bytes = (record: JsonRecord) => new TextEncoder().encode(JSON.stringify({ commandId: 'f-1', ...record }));
const read = (record: JsonRecord) => readFileWork(bytes(record), 'pt-BR');
const publish = (images: JsonRecord[], more: JsonRecord = {}) =>
  read({ command: 'PublishSkuImages', skuExternalReference: '4711-1', images, ...more });
const image = (order: number | string, content: JsonRecord = { uploadId: GUID }) => ({ order, content });

function errorsOf(work: ReturnType<typeof readFileWork>): [string, string, boolean][] {
  if (work.kind !== 'invalid') return [];
  return work.errors.map(({ code, field, hint }) => [code, field, hint !== undefined]);
}

describe('what a file command asks for', () => {
  it('is images by their order, each with the place of its content in the command (rule 32)', () => {
    expect(publish([image(2), image('1'), image(10)])).toEqual({
      kind: 'publish-images',
      skuExternalReference: '4711-1',
      images: [
        { order: 1, source: { uploadId: GUID }, field: 'images[1].content.uploadId' },
        { order: 2, source: { uploadId: GUID }, field: 'images[0].content.uploadId' },
        { order: 10, source: { uploadId: GUID }, field: 'images[2].content.uploadId' },
      ],
      replace: false,
    });
  });

  it('names a SKU by the digits of a JSON integer (contract, Values)', () => {
    const images = [image(1)];
    expect(read({ commandId: 7, command: 'PublishSkuImages', skuExternalReference: 4711, images })).toMatchObject({
      kind: 'publish-images',
      skuExternalReference: '4711',
    });
  });

  it("is the PDF of an order's invoice, or to read it (rule 33)", () => {
    const upload = { command: 'UploadInvoicePdf', orderNumber: 100234, orderId: GUID, parentCommandId: 'c-88' };
    expect(read({ ...upload, content: { uploadId: 'u-1' } })).toEqual({
      kind: 'upload-pdf',
      orderNumber: 100234,
      orderId: GUID,
      pdf: { source: { uploadId: 'u-1' }, field: 'content.uploadId' },
      parentCommandId: 'c-88',
    });
    expect(read({ command: 'ReadInvoice', orderNumber: '100234' })).toEqual({
      kind: 'read-invoice',
      orderNumber: 100234,
    });
  });

  it('may replace the other images (rule 32)', () => {
    expect(publish([image(1)], { replace: true })).toMatchObject({ replace: true });
  });

  it('has its content by url or path too (rule 31)', () => {
    const [url, path] = [{ url: 'https://example.com/2.png' }, { path: 'queijo/3.png' }];
    expect(publish([image(1, url), image(2, path)])).toMatchObject({
      images: [
        { source: url, field: 'images[0].content.url' },
        { source: path, field: 'images[1].content.path' },
      ],
    });
  });

  it.each<[string, JsonRecord, [string, string]]>([
    ['nobody knows', { command: 'PublishImages' }, ['COMMAND_UNKNOWN', 'command']],
    ['has no name', {}, ['FIELD_REQUIRED', 'command']],
    ['has an unknown key', { command: 'ReadInvoice', orderNumber: 1, orderNumbr: 1 }, ['FIELD_UNKNOWN', 'orderNumbr']],
    ['lacks its order', { command: 'ReadInvoice' }, ['FIELD_REQUIRED', 'orderNumber']],
  ])('is invalid where it %s', (_, record, [code, field]) => {
    expect(errorsOf(read(record))[0]?.slice(0, 2)).toEqual([code, field]);
  });

  it('is invalid with two images of one order', () => {
    expect(errorsOf(publish([image(1), image(1)]))).toEqual([['FIELD_TYPE', 'images[1].order', false]]);
  });
});
