import { DOUBLED_THRICE, growthOf, TRIPLED_THRICE } from '@gondola/shared/testing/growth';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { scrubText } from './scrub.ts';

const scrub = (text: string) => scrubText(text, 1_000);

describe('scrubText removes', () => {
  it.each([
    ['an e-mail address', 'user cliente.teste+01@example.com failed', 'user [removed] failed'],
    ['an e-mail address in brackets', '(cliente@example.com)', '([removed])'],
    ['a CPF with points', 'cpf 529.982.247-25.', 'cpf [removed].'],
    ['a CPF as bare digits', 'cpf=52998224725', 'cpf=[removed]'],
    ['a CNPJ with points', '11.222.333/0001-81', '[removed]'],
    ['a CNPJ as bare digits', 'cnpj 11222333000181', 'cnpj [removed]'],
    ['a CNPJ with letters, with points', 'cnpj 12.ABC.345/01DE-35.', 'cnpj [removed].'],
    ['a CNPJ with letters, bare', 'cnpj=12ABC34501DE35', 'cnpj=[removed]'],
    ['a CNPJ with letters alone and its check digits', 'cnpj ABCDEFGHIJKL80', 'cnpj [removed]'],
    ['a CNPJ in small letters', '12.abc.345/01de-35', '[removed]'],
    ['an access key with letters', 'chave 35260712ABC34501DE35550010000012341000012340', 'chave [removed]'],
    ['an access key in groups', '3526 0712 ABC3 4501 DE35 5500 1000 0012 3410 0001 2340', '[removed]'],
    [
      'an access key behind the name of its document',
      'NFe35260712ABC34501DE35550010000012341000012340.xml',
      'NFe[removed].xml',
    ],
    ['a number behind an underscore', 'cpf_52998224725', 'cpf_[removed]'],
    ['a mobile phone with country and area', 'fone +55 (11) 91234-5678!', 'fone [removed]!'],
    ['a phone as bare digits', 'fone 1133334444', 'fone [removed]'],
    ['a phone without an area', 'fone 91234-5678', 'fone [removed]'],
    ['a card number', '4111 1111 1111 1111', '[removed]'],
    ['a bearer token', 'Authorization: Bearer abc.DEF_1~x', 'Authorization: Bearer [removed]'],
    ['basic credentials', 'basic dXNlcjpwYXNz==', 'basic [removed]'],
    ['user and password of a URL', 'postgres://u:p%40ss@db:5432/x', 'postgres://[removed]@db:5432/x'],
  ])('%s', (_what, text, clean) => {
    expect(scrub(text)).toBe(clean);
  });
});

describe('scrubText leaves', () => {
  it.each([
    ['a GUID', 'operation 11111111-1111-4111-8111-111111111111'],
    ['an order number', 'order 100234 is unknown'],
    ['an address and a port', 'connect ECONNREFUSED 127.0.0.1:54321'],
    ['an instant', 'at 2026-11-20T13:15:02.114Z'],
    ['a hash', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['a record', 'erp.catalog.products.v1/3/120045'],
    ['money', 'R$ 187.45'],
    ['words that are as long as the parts of a CNPJ', 'in the log from 12'],
    ['a long word with a number', 'notifications1 and subscriptions22'],
    ['a name with a version', 'erp-connect-prod-01 of erpconnector02'],
  ])('%s', (_what, text) => {
    expect(scrub(text)).toBe(text);
  });
});

const DASHES = Array.from('-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\u00ad\ufe58\ufe63\uff0d');
const BLANKS = Array.from(' \u00a0\u2009\u202f');
const ALNUM = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');

/** Parts of the given lengths, each followed by one of its separators or by none, if the separators have ''. */
function written(
  parts: readonly (readonly [characters: readonly string[], length: number, after: readonly string[]])[],
) {
  return fc
    .tuple(
      ...parts.map(([characters, length, after]) =>
        fc.tuple(
          fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length }),
          fc.constantFrom(...after),
        ),
      ),
    )
    .map((pairs) => pairs.flat().join(''));
}

const DIGITS = ALNUM.slice(0, 10);
const CPF = written([
  [DIGITS, 3, ['.', '', ...BLANKS]],
  [DIGITS, 3, ['.', '', ...BLANKS]],
  [DIGITS, 3, ['', '.', ...DASHES, ...BLANKS]],
  [DIGITS, 2, ['']],
]);
const CNPJ = written([
  [ALNUM, 2, ['.']],
  [ALNUM, 3, ['.']],
  [ALNUM, 3, ['/', '\u2044', '\u2215', '']],
  [ALNUM, 4, ['', ...DASHES]],
  [DIGITS, 2, ['']],
]);
const BARE_CNPJ = written([
  [ALNUM, 6, ['']],
  [DIGITS, 1, ['']],
  [ALNUM, 5, ['']],
  [DIGITS, 2, ['']],
]);
const KEY_SEPARATORS = ['', ...BLANKS];
const ACCESS_KEY = written([
  [DIGITS, 4, KEY_SEPARATORS],
  [DIGITS, 2, ['']],
  [ALNUM, 2, KEY_SEPARATORS],
  [ALNUM, 4, KEY_SEPARATORS],
  [ALNUM, 4, KEY_SEPARATORS],
  [ALNUM, 2, ['']],
  ...Array.from({ length: 6 }, () => [DIGITS, 4, KEY_SEPARATORS] as const),
  [DIGITS, 2, ['']],
]);

describe('scrubText removes any', () => {
  it.each([
    ['CPF', CPF],
    ['CNPJ with its points', CNPJ],
    ['bare CNPJ with a digit in it', BARE_CNPJ],
    ['access key', ACCESS_KEY],
  ])('%s, whatever hyphens, blanks and words are about it', (_what, numbers) => {
    const before = fc.constantFrom('', 'cpf ', 'chave=', '(', '"', 'doc_', 'nº ');
    const after = fc.constantFrom('', ' failed', ')', '"', '.', ', outro', '_x');
    fc.assert(
      fc.property(before, numbers, after, (left, number, right) => {
        const clean = scrub(left + number + right);
        expect(clean.replaceAll('[removed]', '')).toBe(left + right);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('scrubText', () => {
  it('shortens long texts', () => {
    expect(scrubText('abcdef', 3)).toBe('abc…');
  });

  it.each(['a', '1 ', '(', 'A1', '1.A', '12.ABC.345/'])(
    'takes time that at most triples if the text doubles: repeated %j',
    async (part) => {
      const [small, large] = [part.repeat(12_500), part.repeat(DOUBLED_THRICE * 12_500)];
      const growth = await growthOf(
        () => scrub(small),
        () => scrub(large),
        TRIPLED_THRICE,
      );
      expect(growth).toBeLessThanOrEqual(TRIPLED_THRICE);
    },
  );
});
