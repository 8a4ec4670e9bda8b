import { anyCharacter } from '@gondola/shared/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type DroppedImage, dropFileName, dropFolder, isDropFileOf } from './drop-names.ts';
import { DEFAULT_WIRE_PROFILE, wireProfileSchema } from './wire-profile.ts';

const CONTRACT = '11111111-1111-4111-8111-111111111111';
const IMAGE: DroppedImage = {
  skuExternalReference: '4711-1',
  order: 2,
  sha256: 'ab'.repeat(32),
  mediaType: 'image/jpeg',
};
const TEMPLATES = ['{sku}_{order}.{extension}', '{order}-{sku}', 'sku.{sku}.{order}.{sha256}.{extension}'];

const profileOf = (sftpFileName: string) => wireProfileSchema.parse({ sftpFileName });
/** Few characters, so that combinations of reference and position often look alike. */
const tricky = fc.string({ unit: fc.constantFrom('1', '2', '_', '-', '.', 'a', '/', '~', ' '), minLength: 1 });
const anyReference = fc.oneof(tricky, fc.string({ minLength: 1, maxLength: 60, unit: anyCharacter }));
const anyImage = fc
  .tuple(anyReference, fc.integer({ min: 1, max: 120 }))
  .map(([skuExternalReference, order]) => ({ ...IMAGE, skuExternalReference, order }));

describe('names in the SFTP drop (rule 34)', () => {
  it('follow the templates of the wire profile', () => {
    const tenant = { contractFolder: 'loja', contractAccountId: CONTRACT };
    expect(dropFolder(DEFAULT_WIRE_PROFILE, tenant)).toBe(`/loja/${CONTRACT}/SKUs/Integracao`);
    expect(dropFolder({ sftpFolder: '/{contractAccountId}' }, tenant)).toBe(`/${CONTRACT}`);
    expect(TEMPLATES.map((template) => dropFileName(profileOf(template), IMAGE))).toEqual([
      '4711-1_2.jpg',
      '2-4711-1',
      'sku.4711-1.2.abababababab.jpg',
    ]);
  });

  it.each(TEMPLATES)('differ for each SKU and order by %s, and are safe in a folder, for any reference', (template) => {
    const profile = profileOf(template);
    fc.assert(
      fc.property(anyImage, anyImage, (one, other) => {
        const name = dropFileName(profile, one);
        expect(name).toMatch(/^[\w.~-]{1,200}$/);
        const isSame = one.skuExternalReference === other.skuExternalReference && one.order === other.order;
        expect(dropFileName(profile, other) === name).toBe(isSame);
      }),
    );
  });

  it.each(TEMPLATES)('are recognised only for their own SKU, by %s', (template) => {
    const profile = profileOf(template);
    fc.assert(
      fc.property(anyImage, anyReference, (image, sku) => {
        const name = dropFileName(profile, image);
        expect(isDropFileOf(profile, image.skuExternalReference, name)).toBe(true);
        expect(isDropFileOf(profile, sku, name)).toBe(sku === image.skuExternalReference);
        expect(isDropFileOf(profile, image.skuExternalReference, `${name}.part`)).toBe(false);
      }),
    );
  });
});
