import { describe, expect, it } from '@jest/globals';
import { FILE_TYPES, FILE_TYPE_NAMES, fileTypeCode } from './file-types.ts';

describe('file types', () => {
  it('are the five of the document', () => {
    expect(FILE_TYPES).toEqual({ SKU: 1, Category: 2, Badge: 3, Invoice: 4, Product: 5 });
  });

  it('are taken by name, in any case, or by number (rule 35)', () => {
    for (const name of FILE_TYPE_NAMES) {
      const code = FILE_TYPES[name];
      const forms = [name, name.toLowerCase(), name.toUpperCase(), code, String(code)];
      expect(forms.map((form) => fileTypeCode(form))).toEqual(forms.map(() => code));
    }
    for (const none of [0, 6, 1.5, '', 'sku ', 'file', null, undefined, ['SKU'], {}]) {
      expect(fileTypeCode(none)).toBeNull();
    }
  });
});
