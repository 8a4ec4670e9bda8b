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
import { identityFields } from './identity-fields.ts';

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
