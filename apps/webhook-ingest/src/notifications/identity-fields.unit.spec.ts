import { describe, expect, it } from '@jest/globals';
import {
  array,
  assert,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  property,
  string,
} from 'fast-check';
import { notificationIdentity, RELATED_ENTITY_KINDS, type RelatedEntity } from '@gondola/shared/topics/identities';
import { parseWithDigits } from '@gondola/shared/json/json-digits';
import { identityFields, orderOfBody } from './identity-fields.ts';

const ENTITIES = Object.keys(RELATED_ENTITY_KINDS) as RelatedEntity[];
const NAMES = ['number', 'externalReference', 'id', 'skuId', 'commercialPolicyId', 'product', '__proto__', 'email'];

const scalar = oneof(
  integer().map(String),
  constantFrom('1.0', '1e2', '9007199254740993', '"0100234"', 'null', 'true', '""', `"${'x'.repeat(600)}"`),
  string().map((text) => JSON.stringify(text)),
  jsonValue().map((value) => JSON.stringify(value)),
);
const product = array(scalar, { minLength: 1, maxLength: 2 }).map(
  (references) => `{${references.map((reference) => `"externalReference":${reference}`).join(',')}}`,
);
const object = array(dictionary(constantFrom(...NAMES), oneof(scalar, product)), { maxLength: 2 }).map((parts) => {
  const pairs = parts.flatMap((part) => Object.entries(part));
  return `{${pairs.map(([name, text]) => ` ${JSON.stringify(name)} : ${text}`).join(',')}}`;
});

describe('the fields of an identity', () => {
  it('give the identity that the whole data gives, whatever the data', () => {
    assert(
      property(constantFrom(...ENTITIES), oneof(object, scalar, constant('[]')), (entity, text) => {
        const whole = notificationIdentity(entity, parseWithDigits(text));
        expect(notificationIdentity(entity, identityFields(Buffer.from(text)))).toEqual(whole);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are all that is parsed of a large data', () => {
    const data = Buffer.from(`{"number":7,"items":[${'{"a":1.5},'.repeat(1_000)}{}],"id":[${'1,'.repeat(4_000)}1]}`);
    expect(identityFields(data)).toEqual({ number: 7 });
  });
});

const orderOf = (body: unknown) => orderOfBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));

describe('the order that a body in quarantine is about', () => {
  it.each<[string, unknown]>([
    ['an order of another account', { relatedEntity: 'Order', contractAccountId: 'x', data: { number: 100_234 } }],
    ['a number as text', { relatedEntity: 'Order', data: { number: '0100234' } }],
    ['no entity', { data: { number: 100_234 } }],
    ['an entity that is not known', { relatedEntity: 'Pedido', data: { number: 100_234 } }],
    ['an entity that is no text', { relatedEntity: { a: 1 }, data: { number: 100_234 } }],
  ])('is found with %s', (_, body) => {
    expect(orderOf(body)).toBe('order/100234');
  });

  it.each<[string, unknown]>([
    ['another entity', { relatedEntity: 'Brand', data: { number: 100_234 } }],
    ['no number', { relatedEntity: 'Order', data: {} }],
    ['no data', { relatedEntity: 'Order' }],
    ['data that is no object', { relatedEntity: 'Order', data: [1] }],
    ['no JSON', '{"relatedEntity":"Order","data":{"number":100234'],
  ])('is not found with %s', (_, body) => {
    expect(orderOf(body)).toBeNull();
  });
});
