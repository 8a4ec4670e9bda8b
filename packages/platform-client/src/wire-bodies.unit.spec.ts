import { describe, expect, it } from '@jest/globals';
import { numberFromToken, parseWithDigits, stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { pickingItem, type PickedLine } from '@gondola/shared/orders/picking-items';
import * as fc from 'fast-check';
import { cancelBody, filledData, patchStatusBody, pickingBody, saysLines } from './wire-bodies.ts';
import { DEFAULT_WIRE_PROFILE, wireProfileSchema } from './wire-profile.ts';

const LINE: PickedLine = {
  skuExternalReference: '4711-1',
  line: null,
  outcome: 'picked',
  substitutes: null,
  quantity: { value: '0.312', unit: 'Kg' },
  unitPrice: '39.90',
  total: '12.45',
};
const FINAL = numberFromToken('12.45');
const picking = (...lines: PickedLine[]) => ({ finalOrderPrice: FINAL, items: lines.map(pickingItem) });

describe('a price, warehouse or stock', () => {
  const values = { '<SKU_ID>': 'guid-1', '<POLICY>': undefined };

  it('is what the ERP gave, with the fields of the profile that it lacks and whose value is known (rule 30)', () => {
    const { pricingFields } = DEFAULT_WIRE_PROFILE;
    const data = { price: numberFromToken('39.90') };
    expect(stringifyWithDigits(filledData(data, pricingFields, values))).toBe('{"price":39.90,"skuId":"guid-1"}');
    const own = { skuId: null, price: 1 };
    expect(filledData(own, pricingFields, values)).toEqual(own);
  });

  it('is filled by the templates of a tenant', () => {
    const { stockFields } = wireProfileSchema.parse({ stockFields: { sku: { id: '<SKU_ID>' }, source: 'erp' } });
    expect(filledData({ quantity: 3 }, stockFields, values)).toEqual({
      quantity: 3,
      sku: { id: 'guid-1' },
      source: 'erp',
    });
  });

  it('passes with every key and value that it has (rule 30)', () => {
    const data = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(data, (given) => {
        const filled = filledData(given as never, DEFAULT_WIRE_PROFILE.pricingFields, values);
        for (const key of Object.keys(given)) expect(filled[key]).toEqual(given[key]);
      }),
    );
  });
});

describe('the body that sets a status', () => {
  it.each([
    [{ status: '<NAME>' }, '{"status":"SHIPPED"}'],
    ['<NAME>', '"SHIPPED"'],
    [{ a: [{ b: '<NAME>/<NAME>' }, null, 1.5] }, '{"a":[{"b":"SHIPPED/SHIPPED"},null,1.5]}'],
  ])('is made from the template %j', (template, body) => {
    expect(patchStatusBody(wireProfileSchema.parse({ patchStatusBody: template }), 'SHIPPED')).toBe(body);
  });

  it('is JSON that holds the name, whatever the name', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(JSON.parse(patchStatusBody(DEFAULT_WIRE_PROFILE, name))).toEqual({ status: name });
      }),
    );
  });
});

describe('the body that cancels', () => {
  it('holds the reason, whatever it says', () => {
    const reasons = fc.oneof(fc.string(), fc.constantFrom('<REASON>', '<NAME>', '$&', '"}'));
    fc.assert(
      fc.property(reasons, (reason) => {
        expect(JSON.parse(cancelBody(DEFAULT_WIRE_PROFILE, reason))).toEqual({ reason });
        const within = wireProfileSchema.parse({ cancelBody: { text: 'ERP: <REASON>' } });
        expect(JSON.parse(cancelBody(within, reason))).toEqual({ text: `ERP: ${reason}` });
      }),
    );
  });
});

describe('the body that reports a picking', () => {
  it('is by default what the contract shows, decimal text as numbers of the same digits (rule 21)', () => {
    expect(pickingBody(DEFAULT_WIRE_PROFILE, picking(LINE))).toBe(
      '{"finalOrderPrice":12.45,"items":[{"skuExternalReference":"4711-1","quantity":0.312,"unitOfMeasure":"Kg","price":39.90,"total":12.45}]}',
    );
  });

  it('leaves out what the ERP did not give, and tells a missing line as nothing', () => {
    const bare = { ...LINE, quantity: null, unitPrice: null, total: null };
    expect(pickingBody(DEFAULT_WIRE_PROFILE, picking(bare, { ...bare, line: 2, outcome: 'missing' }))).toBe(
      '{"finalOrderPrice":12.45,"items":[{"skuExternalReference":"4711-1"},{"skuExternalReference":"4711-1","quantity":0,"total":0}]}',
    );
  });

  it('can be another by the profile', () => {
    const profile = wireProfileSchema.parse({
      pickingBody: { order: { price: '<FINAL_PRICE>', lines: '<ITEMS>' } },
      pickingItem: {
        sku: '<SKU>',
        line: '<LINE>',
        what: '<OUTCOME>',
        instead: '<SUBSTITUTES>',
        label: '<SKU> x <QUANTITY>',
      },
    });
    const substitute: PickedLine = { ...LINE, line: 3, outcome: 'substitute', substitutes: '4712-1' };
    const replaced: PickedLine = { ...LINE, skuExternalReference: '4712-1', line: 3, outcome: 'missing' };
    expect(JSON.parse(pickingBody(profile, picking(substitute, replaced)))).toEqual({
      order: {
        price: 12.45,
        lines: [
          { sku: '4711-1', line: 3, what: 'substitute', instead: '4712-1', label: '4711-1 x 0.312' },
          { sku: '4712-1', line: 3, what: 'missing', label: '4712-1 x 0' },
        ],
      },
    });
  });

  it('says the line of an item where the profile has it, also inside a longer text', () => {
    const templates = [{ sku: '<SKU>' }, { sku: '<SKU>', at: { line: '<LINE>' } }, { key: '<SKU>/<LINE>' }];
    const profiles = templates.map((pickingItem) => wireProfileSchema.parse({ pickingItem }));
    expect(profiles.map(saysLines)).toEqual([false, true, true]);
    expect(saysLines(DEFAULT_WIRE_PROFILE)).toBe(false);
  });

  it('takes no placeholder from a value, and keeps every digit of any amount (rule 21)', () => {
    const amounts = fc.tuple(fc.bigInt(0n, 10n ** 20n), fc.nat(9)).map(([whole, decimal]) => `${whole}.${decimal}0`);
    const references = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('<QUANTITY>', '<ITEMS>', '<SKU>'));
    fc.assert(
      fc.property(references, amounts, (skuExternalReference, amount) => {
        const body = pickingBody(DEFAULT_WIRE_PROFILE, {
          finalOrderPrice: numberFromToken(amount),
          items: [pickingItem({ ...LINE, skuExternalReference, unitPrice: amount, total: null })],
        });
        expect(body).toContain(`"finalOrderPrice":${amount},`);
        expect(body).toContain(`"price":${amount}}`);
        expect(stringifyWithDigits(parseWithDigits(body))).toBe(body);
        expect(JSON.parse(body)).toMatchObject({ items: [{ skuExternalReference, quantity: 0.312 }] });
      }),
    );
  });
});
