import { Buffer } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import { parseWithDigits } from '../json/json-digits.ts';
import { tenantOf } from '../topics/tenant-of.ts';
import { identityUnreadable, notAnObject, sentenceFor, tenantUnknown } from './unreadable-reason.ts';

function unusable(json: string): string {
  return identityUnreadable('commandId', parseWithDigits(json)).en;
}

function whyUnknown(header: string | undefined, field: string | undefined): string {
  const owner = tenantOf({ header, field, known: ['acme', 'beta'] });
  return owner.ok ? '' : tenantUnknown(owner, header ?? field).en;
}

describe('why a record has no readable identity', () => {
  it.each([
    [null, 'no value'],
    [Buffer.alloc(0), 'empty'],
    [Buffer.from('{"name":"pão"}', 'latin1'), 'the byte 0xE3 at position 10, counted from 0, is not UTF-8'],
    [Buffer.from([0, 0, 0, 0, 7, ...Buffer.from('{}')]), 'the first byte is 0, as a schema registry'],
    [Buffer.from([0, 0, 1, 0xe3, 7, ...Buffer.from('{}')]), 'the first byte is 0, as a schema registry'],
    [Buffer.from('{'), 'no JSON'],
    [Buffer.from('[]'), 'it is a list'],
    [Buffer.from('1.50'), 'it is a number'],
    [Buffer.from('null'), 'it is null'],
  ])('says what the value is instead of a JSON object (%#)', (value, part) => {
    expect(notAnObject(value).en).toContain(part);
  });

  it('calls a missing identity missing, and says why another one cannot be used', () => {
    for (const value of [undefined, null, '']) {
      expect(identityUnreadable('commandId', value)).toEqual({
        'pt-BR': 'Falta o campo "commandId", que identifica o registro.',
        en: 'The field "commandId", which identifies the record, is missing.',
      });
    }
    expect(unusable('1.50')).toContain('it is a number');
    expect(unusable('{"name":"Cliente Teste 01"}')).toMatch(/it is an object, and has to be a text\.$/);
    expect(unusable(`"${'x'.repeat(513)}"`)).toContain('513 characters, and 512 are the most');
    expect(unusable(String.raw`"\u0000"`)).toContain('cannot be stored');
  });

  it('says what is wrong with the tenant, and repeats what may be one', () => {
    expect(whyUnknown('nobody', undefined)).toContain('no tenant "nobody" is configured');
    expect(whyUnknown(undefined, 'Cliente Teste 01')).toContain('no tenant is configured');
    expect(whyUnknown(undefined, undefined)).toContain('missing');
    expect(whyUnknown('acme', 'beta')).toContain('differ');
  });

  it("is said in the tenant's language, or in both", () => {
    const sentences = { 'pt-BR': 'Não.', en: 'No.' };
    expect([sentenceFor(sentences, 'en'), sentenceFor(sentences, undefined)]).toEqual(['No.', 'Não. / No.']);
  });
});
