import { describe, expect, it } from '@jest/globals';
import { checkInvoicePdfCommand, MAX_PARENT_ID_LENGTH, uploadInvoicePdfCommand } from '../orders/derived-command.ts';
import { readFileCommand } from './file-command.ts';
import { isIdentityText } from '../topics/identities.ts';
import { MAX_IDENTITY_LENGTH } from '../limits.ts';
import type { JsonRecord } from '../json/json-digits.ts';

const GUID = '2f6d5b0e-9a53-4c6b-8f0e-6d0a4b1c2d3e';
const read = (command: string, fields: JsonRecord) => readFileCommand({ commandId: 'f-1', command, ...fields }, 'en');
const image = (order: number | string, content: JsonRecord = { uploadId: `u-${order}` }): JsonRecord => ({
  order,
  content,
});
const IMAGES = { skuExternalReference: '4711-1', images: [image(1)] };

function errorsOf(command: string, fields: JsonRecord): [string, string][] {
  const reading = read(command, fields);
  return reading.ok ? [] : reading.errors.map(({ field, code }) => [field, code]);
}

describe('a file command', () => {
  it.each<[string, JsonRecord, JsonRecord]>([
    [
      'UndoImageUpload',
      { skuExternalReference: '4711-1', undoes: 'f-0' },
      { skuExternalReference: '4711-1', undoes: 'f-0' },
    ],
    ['ListFiles', { externalReference: '4711-1', fileType: 'SKU' }, { externalReference: '4711-1', fileType: 1 }],
    ['ListFiles', { externalReference: '4711', fileType: 5 }, { fileType: 5 }],
    ['RemoveFiles', { externalReference: 'a', fileType: 1, urls: ['u'] }, { urls: ['u'], storageIds: [] }],
    [
      'RemoveFiles',
      { externalReference: 'a', fileType: 1, storageIds: ['s'], urls: null },
      { urls: [], storageIds: ['s'] },
    ],
    ['RemoveAllFiles', { entityId: 'e', confirm: true }, { entityId: 'e' }],
    ['ReadInvoice', { orderNumber: '0100234' }, { orderNumber: 100_234 }],
  ])('%s is read (rule 35)', (command, fields, content) => {
    expect(read(command, fields)).toMatchObject({ ok: true, command: { command, commandId: 'f-1', ...content } });
  });

  it.each<[string, JsonRecord, [string, string][]]>([
    ['UndoImageUpload', { skuExternalReference: '4711-1' }, [['undoes', 'FIELD_REQUIRED']]],
    ['ListFiles', { externalReference: 'a', fileType: 'Skus' }, [['fileType', 'FIELD_TYPE']]],
    ['ListFiles', { fileType: 1 }, [['externalReference', 'FIELD_REQUIRED']]],
    ['RemoveFiles', { externalReference: 'a', fileType: 1 }, [['urls', 'FIELD_REQUIRED']]],
    ['RemoveFiles', { externalReference: 'a', fileType: 1, urls: [] }, [['urls', 'FIELD_TYPE']]],
    ['RemoveFiles', { externalReference: 'a', fileType: 1, urls: [7] }, [['urls', 'FIELD_TYPE']]],
    ['RemoveAllFiles', { entityId: 'e' }, [['confirm', 'CONFIRM_REQUIRED']]],
    ['RemoveAllFiles', { entityId: 'e', confirm: false }, [['confirm', 'CONFIRM_REQUIRED']]],
    [
      'RemoveAllFiles',
      { entityId: 'e', confirmed: true },
      [
        ['confirmed', 'FIELD_UNKNOWN'],
        ['confirm', 'CONFIRM_REQUIRED'],
      ],
    ],
    ['ReadInvoice', { orderNumber: 1.5 }, [['orderNumber', 'FIELD_TYPE']]],
    ['ReadInvoices', {}, [['command', 'COMMAND_UNKNOWN']]],
    ['toString', {}, [['command', 'COMMAND_UNKNOWN']]],
  ])('%s with %j has the errors %j (rule 35)', (command, fields, expected) => {
    expect(errorsOf(command, fields)).toEqual(expected);
  });

  it('without a name has that error, and none about keys that its command may have', () => {
    expect(readFileCommand({ commandId: 'f', images: [] }, 'en')).toMatchObject({
      ok: false,
      errors: [{ field: 'command', code: 'FIELD_REQUIRED' }],
    });
  });
});

describe('PublishSkuImages', () => {
  it('is read with its images by their order (rule 32)', () => {
    const images = [image('10'), image(2, { path: 'a.png' }), image(1, { url: 'https://example.com/1.png' })];
    expect(read('PublishSkuImages', { ...IMAGES, images, replace: true })).toEqual({
      ok: true,
      command: {
        command: 'PublishSkuImages',
        commandId: 'f-1',
        skuExternalReference: '4711-1',
        replace: true,
        images: [
          { order: 1, content: { url: 'https://example.com/1.png' } },
          { order: 2, content: { path: 'a.png' } },
          { order: 10, content: { uploadId: 'u-10' } },
        ],
      },
    });
  });

  it.each<[string, JsonRecord[], [string, string][]]>([
    ['no image', [], [['images', 'FIELD_REQUIRED']]],
    ['two images with one order', [image(1), image('1')], [['images[1].order', 'FIELD_TYPE']]],
    ['an order that is none', [image(0)], [['images[0].order', 'LIMIT']]],
    ['no order', [{ content: { uploadId: 'u' } }], [['images[0].order', 'FIELD_REQUIRED']]],
    ['no content', [{ order: 1 }], [['images[0].content', 'FIELD_REQUIRED']]],
    ['empty content', [image(1, {})], [['images[0].content', 'FIELD_TYPE']]],
    ['content twice', [image(1, { uploadId: 'u', url: 'x' })], [['images[0].content', 'FIELD_TYPE']]],
    ['an unknown kind of content', [image(1, { base64: 'x' })], [['images[0].content.base64', 'FIELD_UNKNOWN']]],
    ['an unknown key', [{ ...image(1), alt: 'x' }], [['images[0].alt', 'FIELD_UNKNOWN']]],
  ])('with %s is invalid (rule 32)', (_, images, expected) => {
    expect(errorsOf('PublishSkuImages', { ...IMAGES, images })).toEqual(expected);
  });
});

describe('the upload of an invoice that the order saga asks for', () => {
  const upload = { parentCommandId: 'c-88', orderNumber: 100_234, orderId: GUID, content: { uploadId: 'u-1' } };

  it('is a file command of its own id, which the file gateway reads', () => {
    const command = uploadInvoicePdfCommand(upload);
    expect(command.commandId).toBe('c-88/pdf');
    expect(readFileCommand(command, 'en')).toEqual({
      ok: true,
      command: { ...upload, command: 'UploadInvoicePdf', commandId: 'c-88/pdf' },
    });
  });

  it('comes after a check, which is a file command of its own id too (rule 33)', () => {
    const { orderId: _unknownYet, ...check } = upload;
    const command = checkInvoicePdfCommand(check);
    expect(command.commandId).toBe('c-88/chk');
    expect(readFileCommand(command, 'en')).toEqual({
      ok: true,
      command: { ...check, command: 'CheckInvoicePdf', commandId: 'c-88/chk' },
    });
    expect(errorsOf('CheckInvoicePdf', { ...check, content: {} })).toEqual([['content', 'FIELD_TYPE']]);
  });

  it('has an id that is one for every parent that is valid with a PDF (rule 15)', () => {
    const longest = MAX_PARENT_ID_LENGTH;
    const { commandId } = uploadInvoicePdfCommand({ ...upload, parentCommandId: 'c'.repeat(longest) });
    const check = checkInvoicePdfCommand({ ...upload, parentCommandId: 'c'.repeat(longest) });
    expect([commandId, check.commandId].map((id) => isIdentityText(id))).toEqual([true, true]);
    expect(commandId).toHaveLength(MAX_IDENTITY_LENGTH);
  });
});
