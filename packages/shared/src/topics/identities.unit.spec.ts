import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { numberFromToken } from '../json/json-digits.ts';
import {
  ENTITY_KINDS,
  type RelatedEntity,
  isIdentityText,
  isRelatedEntity,
  notificationIdentity,
  notificationRoute,
  orderNumberText,
  partitionKey,
} from './identities.ts';
import { isSameCut, twoCuts } from '../testing/arbitrary-json.ts';

const routeOf = (relatedEntity: RelatedEntity, data: unknown) =>
  notificationRoute({ tenant: 'acme', operationId: 'op-1', relatedEntity, data });

describe('identities', () => {
  it.each([
    ['Order', { number: 100_234 }, { kind: 'order', identity: '100234' }],
    ['Order', { number: '0100234' }, { kind: 'order', identity: '100234' }],
    ['ProductWithSKUs', { product: { externalReference: '4711' } }, { kind: 'product', identity: '4711' }],
    ['Brand', { externalReference: 'm-1' }, { kind: 'brand', identity: 'm-1' }],
    ['Category', { externalReference: 'c/1' }, { kind: 'category', identity: 'c/1' }],
    ['Warehouse', { id: 'w-1' }, { kind: 'warehouse', identity: 'w-1' }],
    ['Warehouse', { id: 7 }, { kind: 'warehouse', identity: '7' }],
    ['SKUPricing', { skuId: 's', commercialPolicyId: 'p' }, { kind: 'price', identity: 's/p' }],
    ['WarehouseSKU', { id: 'x', skuId: 's' }, null],
    ['User', { email: 'cliente@example.com', id: '1' }, null],
  ] as const)('reads the identity of %s from its data', (entity, data, expected) => {
    expect(notificationIdentity(entity, data)).toEqual(expected);
  });

  it('sends a user, and what has no identity of its own, by the operation and never by an e-mail (rule 1)', () => {
    const byOperation = { entity: null, partitionKey: 'acme/operation/op-1', subject: null };
    expect(routeOf('User', { email: 'cliente@example.com' })).toEqual(byOperation);
    expect(routeOf('WarehouseSKU', { skuId: 's' })).toEqual(byOperation);
    expect(routeOf('Order', null)).toEqual(byOperation);
    expect(routeOf('Order', { number: '12a' })).toEqual(byOperation);
    expect(routeOf('Order', { number: 12 })).toMatchObject({ partitionKey: 'acme/order/12', subject: 'order/12' });
  });

  it('gives different entities different partition keys', () => {
    const entity = fc.record({
      tenant: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,4}$/),
      kind: fc.constantFrom(...ENTITY_KINDS),
      identity: fc.string({ unit: fc.constantFrom('a', '/', 'order', '-') }),
    });
    fc.assert(
      fc.property(entity, entity, (a, b) => {
        const same = a.tenant === b.tenant && a.kind === b.kind && a.identity === b.identity;
        expect(partitionKey(a.tenant, a.kind, a.identity) === partitionKey(b.tenant, b.kind, b.identity)).toBe(same);
      }),
    );
  });

  it('gives different pairs of SKU and policy different identities', () => {
    fc.assert(
      fc.property(twoCuts('/', ['a', '%', '2F']), (cuts) => {
        const [one, other] = cuts.map(([skuId, commercialPolicyId]) =>
          notificationIdentity('SKUPricing', { skuId, commercialPolicyId }),
        );
        expect(one?.identity).toBeDefined();
        expect(one?.identity === other?.identity).toBe(isSameCut(cuts));
      }),
      { numRuns: 1000 },
    );
  });

  it('takes an order number as integer or decimal text, and one number has one text', () => {
    expect(orderNumberText('0100234')).toBe('100234');
    expect(orderNumberText(100_234)).toBe('100234');
    expect(orderNumberText(numberFromToken('100234.0'))).toBe('100234');
    expect(orderNumberText(numberFromToken('1.00234e5'))).toBe('100234');
    for (const other of [
      1.5,
      -1,
      '1.0',
      '',
      ' 1',
      'a',
      null,
      undefined,
      numberFromToken('1.50'),
      numberFromToken('-1.0'),
      2 ** 60,
      numberFromToken('9223372036854775807'),
    ]) {
      expect(orderNumberText(other)).toBeNull();
    }
  });

  it('refuses identities that no database or key can hold', () => {
    for (const other of ['', 'a\0', '\ud800', 'a'.repeat(513), 1, null]) expect(isIdentityText(other)).toBe(false);
    expect(isIdentityText('4711-ç-😀')).toBe(true);
  });

  it('knows the eight related entities and no more', () => {
    expect(isRelatedEntity('Order')).toBe(true);
    expect(isRelatedEntity('constructor')).toBe(false);
    expect(isRelatedEntity(1)).toBe(false);
  });
});
