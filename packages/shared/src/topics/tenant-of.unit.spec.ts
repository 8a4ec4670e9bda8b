import { describe, expect, it } from '@jest/globals';
import { TENANT_ID_PATTERN, tenantOf } from './tenant-of.ts';

const one = ['acme'];
const two = ['acme', 'beta'];
const unknown = (why: string, named?: string): object => ({ ok: false, code: 'TENANT_UNKNOWN', why, named });

describe('tenant of', () => {
  it.each([
    [undefined, undefined, one, { ok: true, tenant: 'acme' }],
    [null, null, one, { ok: true, tenant: 'acme' }],
    ['beta', undefined, two, { ok: true, tenant: 'beta' }],
    [undefined, 'beta', two, { ok: true, tenant: 'beta' }],
    ['beta', 'beta', two, { ok: true, tenant: 'beta' }],
    ['acme', 'beta', two, unknown('differing', 'acme')],
    ['gamma', 'beta', two, unknown('differing', 'beta')],
    ['gamma', 'delta', two, unknown('differing')],
    ['acme', 7, two, unknown('differing', 'acme')],
    [undefined, undefined, two, unknown('missing')],
    [undefined, undefined, [], unknown('missing')],
    ['gamma', undefined, two, unknown('unknown')],
    ['gamma', undefined, one, unknown('unknown')],
    [undefined, 7, one, unknown('unknown')],
    ['', undefined, one, unknown('unknown')],
    ['toString', undefined, one, unknown('unknown')],
  ])('header %j, field %j, configured %j', (header, field, known, expected) => {
    expect(tenantOf({ header, field, known })).toEqual(expected);
  });

  it('allows no separator of keys or paths in an id', () => {
    for (const id of ['acme', 'Loja_03', 'b-c']) expect(id).toMatch(TENANT_ID_PATTERN);
    for (const id of ['', 'a/b', 'a:b', '..', 'a.b', '-a', 'a b', 'a'.repeat(64)])
      expect(id).not.toMatch(TENANT_ID_PATTERN);
  });
});
