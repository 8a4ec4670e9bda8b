import { describe, expect, it } from '@jest/globals';
import { readCatalogRecord } from '../catalog/catalog-record.ts';
import { type JsonRecord, parseWithDigits } from '../json/json-digits.ts';
import { longNumberErrors } from './long-numbers.ts';
import { readFileCommand } from '../files/file-command.ts';
import { prepareProduct } from '../catalog/product-record.ts';
import { UPDATE, withSku } from '../testing/catalog-samples.ts';

const LONG = `1${'0'.repeat(39_998)}1`;

const record = (fields: string): JsonRecord => parseWithDigits(`{"commandId":"c",${fields}}`) as JsonRecord;

describe('a number that is longer than a record may hold one', () => {
  it('is told by its place, abbreviated, in a field that no table knows too', () => {
    expect(longNumberErrors(record(`"a":{"b":[1,${LONG}]}`), 'en')).toEqual([
      {
        field: 'a.b[1]',
        code: 'LIMIT',
        message: 'The field "a.b[1]" must have at most 60 digits.',
        hint: 'Value given: 10000000…00000001 (40,000 characters).',
      },
    ]);
    expect(longNumberErrors(record(`"a":${LONG}`), 'pt-BR')).toMatchObject([
      {
        message: 'O campo "a" deve ter no máximo 60 dígitos.',
        hint: 'Valor recebido: 10000000…00000001 (40.000 caracteres).',
      },
    ]);
  });

  it.each(['1e1000000000', '-1.5E-9999', `1e${'0'.repeat(70)}1`])('is one by its exponent: %s', (number) => {
    expect(longNumberErrors(record(`"a":${number}`), 'en')).toMatchObject([{ field: 'a', code: 'LIMIT' }]);
  });

  it.each(['1e300', '0.1', '12345678901234567890', `-${'9'.repeat(60)}`, '1.10'])('is not %s', (number) => {
    expect(longNumberErrors(record(`"a":${number}`), 'en')).toEqual([]);
  });

  it('makes every kind of command and record invalid', () => {
    const wrong = [{ field: 'x', code: 'LIMIT' }];
    expect(readFileCommand(record(`"x":${LONG}`), 'en')).toMatchObject({ ok: false, errors: wrong });
    expect(readCatalogRecord(record(`"x":${LONG}`), 'en')).toMatchObject({ errors: wrong });
  });

  it('is told as such in a numeric field too, as text as well as a number', () => {
    for (const text of [`"${LONG}"`, LONG, '1e500', `0.${'0'.repeat(60)}1`]) {
      const { weight = null } = record(`"weight":${text}`);
      const { errors } = prepareProduct(withSku({ weight }), UPDATE);
      expect(errors).toMatchObject([
        { field: 'weight', code: 'LIMIT', hint: expect.stringContaining('Value given: ') },
      ]);
    }
  });
});
