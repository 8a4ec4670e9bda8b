import { DOUBLED_THRICE, growthOf, TRIPLED_THRICE } from '@gondola/shared/testing/growth';
import { describe, expect, it } from '@jest/globals';
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
  ])('%s', (_what, text) => {
    expect(scrub(text)).toBe(text);
  });
});

describe('scrubText', () => {
  it('shortens long texts', () => {
    expect(scrubText('abcdef', 3)).toBe('abc…');
  });

  it.each(['a', '1 ', '('])('takes time that at most triples if the text doubles: repeated %j', async (part) => {
    const [small, large] = [part.repeat(12_500), part.repeat(DOUBLED_THRICE * 12_500)];
    const growth = await growthOf(
      () => scrub(small),
      () => scrub(large),
      TRIPLED_THRICE,
    );
    expect(growth).toBeLessThanOrEqual(TRIPLED_THRICE);
  });
});
