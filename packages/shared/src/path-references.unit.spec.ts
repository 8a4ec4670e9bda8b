import { describe, expect, it } from '@jest/globals';
import { readCatalogRecord } from './catalog/catalog-record.ts';
import { readFileCommand } from './files/file-command.ts';
import { prepareProduct } from './catalog/product-record.ts';
import { UPDATE } from './testing/catalog-samples.ts';

const LIMIT = { code: 'LIMIT', message: expect.stringContaining('hold no "." or ".." alone or between slashes') };
const FILES = { commandId: 'c', fileType: 'SKU', urls: ['u'] };

describe('a reference with a segment that leads to another route of the platform', () => {
  it.each(['.', '..', '../Webhooks', 'a/..', 'a/./b', '..\\x', '/..'])(
    'is invalid before anything is sent: %s',
    (reference) => {
      for (const op of ['upsert', 'delete', 'deactivate']) {
        const { errors } = readCatalogRecord({ externalReference: reference, op }, 'en');
        expect(errors).toMatchObject([{ ...LIMIT, field: 'externalReference' }]);
      }
      const product = { externalReference: '4711', skus: [{ externalReference: reference }] };
      expect(
        prepareProduct(product, { ...UPDATE, known: { product: true, skus: new Set([reference]) } }).errors,
      ).toMatchObject([{ ...LIMIT, field: 'externalReference' }]);
      for (const command of ['ListFiles', 'RemoveFiles', 'RemoveAllFiles', 'PublishSkuImages', 'UndoImageUpload']) {
        const names = { externalReference: reference, skuExternalReference: reference, entityId: reference };
        const reading = readFileCommand({ ...FILES, ...names, command }, 'en');
        expect(reading.ok ? [] : reading.errors).toContainEqual(expect.objectContaining(LIMIT));
      }
    },
  );

  it.each(['...', '.a', 'a..b', '1.', '4711/1', 'a?b#c', 'é\r\n'])(
    'is none by other dots or characters: %s',
    (reference) => {
      expect(readCatalogRecord({ externalReference: reference }, 'en').errors).toEqual([]);
    },
  );
});
