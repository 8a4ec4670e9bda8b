import { describe, expect, it } from '@jest/globals';
import { explainProduct, type ProductFacts } from './explain-product.ts';
import { STEPS } from './explanation-texts.ts';

const APPLIED = {
  commandId: 'r',
  command: 'upsert',
  outcome: 'applied',
  reason: null,
  errors: [],
  finishedAt: '2026-11-20T13:15:02Z',
} as const;
const READ = { active: true, displayInSite: true, hasImage: true };
const CATEGORY = { externalReference: 'queijos', isKnown: true, isShown: true };
const IN_SHOP: ProductFacts = {
  open: null,
  lastEnd: APPLIED,
  applied: { categoryExternalReference: 'queijos' },
  readModel: READ,
  categories: [CATEGORY],
  brand: null,
  skus: [{ externalReference: '1-a', hasPrice: true, hasStock: true }],
};
const explain = (more: Partial<ProductFacts>) => explainProduct({ ...IN_SHOP, ...more }, 'en');
/** The first step that is not done. */
const firstOf = (more: Partial<ProductFacts>) => {
  const { steps, inShop } = explain(more);
  const first = steps.find(({ state }) => state !== 'done');
  return [first?.step, first?.state, first?.who, inShop];
};
const OPEN = { waitingFor: [], attempts: 0, blocked: null };

describe('why a product is not in the shop', () => {
  it('nothing is missing of one that is, in either language', () => {
    expect(explain({})).toMatchObject({ inShop: true, summary: 'As far as is known, the product is in the shop.' });
    expect(explain({}).steps.map(({ step }) => step)).toEqual(STEPS);
    expect(explainProduct(IN_SHOP, 'pt-BR').summary).toBe('Pelo que se sabe, o produto está na loja.');
  });

  it.each<[string, Partial<ProductFacts>, unknown[]]>([
    ['was never sent', { lastEnd: null, readModel: null }, ['received', 'missing', 'erp', false]],
    [
      'is invalid',
      { lastEnd: { ...APPLIED, outcome: 'invalid' }, readModel: null },
      ['valid', 'missing', 'erp', false],
    ],
    [
      'waits for its brand',
      { open: { ...OPEN, waitingFor: [{ kind: 'brand', externalReference: 'serra' }] }, readModel: null },
      ['references', 'waiting', 'erp', false],
    ],
    ['is in its queue', { open: OPEN }, ['sent', 'waiting', 'gondola', true]],
    ['cannot be sent', { open: { ...OPEN, blocked: 'credentials' } }, ['sent', 'waiting', 'platform', true]],
    ['is on its way', { open: { ...OPEN, attempts: 1 } }, ['outcome', 'waiting', 'platform', true]],
    [
      'was refused',
      { lastEnd: { ...APPLIED, outcome: 'refused' }, readModel: null },
      ['outcome', 'missing', 'erp', false],
    ],
    [
      'was never confirmed',
      { lastEnd: { ...APPLIED, outcome: 'unconfirmed' } },
      ['outcome', 'missing', 'platform', true],
    ],
    ['is not there', { readModel: null }, ['inShop', 'missing', 'gondola', false]],
    ['cannot be looked for', { readModel: undefined }, ['inShop', 'unknown', null, null]],
    ['is not active', { readModel: { ...READ, active: false } }, ['active', 'missing', 'erp', false]],
    ['is hidden', { readModel: { ...READ, displayInSite: false } }, ['displayed', 'missing', 'erp', false]],
    ['has no category', { categories: [] }, ['category', 'missing', 'erp', true]],
    ['has a category that could not be read', { categories: null }, ['category', 'unknown', null, true]],
    [
      'has a category of which no record came',
      { categories: [{ ...CATEGORY, isShown: null }] },
      ['category', 'unknown', null, true],
    ],
    [
      'has a category that is off the menu',
      { categories: [CATEGORY, { externalReference: 'frios', isKnown: true, isShown: false }] },
      ['category', 'missing', 'erp', true],
    ],
    [
      'has a brand that is not known',
      { brand: { externalReference: 'x', isKnown: false } },
      ['brand', 'missing', 'erp', true],
    ],
    ['has no active SKU', { skus: [] }, ['skus', 'missing', 'erp', false]],
    ['has no image', { readModel: { ...READ, hasImage: false } }, ['image', 'missing', 'erp', true]],
    [
      'has no price',
      { skus: [{ externalReference: '1-a', hasPrice: false, hasStock: true }] },
      ['price', 'missing', 'erp', null],
    ],
    [
      'has no stock',
      { skus: [{ externalReference: '1-a', hasPrice: true, hasStock: false }] },
      ['stock', 'missing', 'erp', null],
    ],
    [
      'has no stock and is shown sold out',
      {
        readModel: { ...READ, displayInSoldOut: true },
        skus: [{ externalReference: '1-a', hasPrice: true, hasStock: false }],
      },
      ['stock', 'missing', 'erp', true],
    ],
    [
      'has a SKU that can be bought beside one that cannot',
      { skus: [...IN_SHOP.skus, { externalReference: '1-b', hasPrice: false, hasStock: true }] },
      ['price', 'missing', 'erp', true],
    ],
    [
      'says nothing of active',
      { readModel: { displayInSite: true, hasImage: true } },
      ['active', 'unknown', null, null],
    ],
  ])('names, for a product that %s, the first missing step and who must act', (_what, facts, expected) => {
    expect(firstOf(facts)).toEqual(expected);
  });

  it.each([
    ['applied', 'done', 'The platform accepted the last record.'],
    ['unchanged', 'done', 'The last record changes nothing that the platform has.'],
    ['invalid', 'missing', 'The last record was not sent to the platform.'],
  ] as const)('says of a last record that is %s what the platform did with it', (outcome, state, text) => {
    const { steps } = explain({ lastEnd: { ...APPLIED, outcome } });
    expect(steps.find(({ step }) => step === 'outcome')).toMatchObject({ state, text });
  });

  it('says nothing of what only a product of the shop has, while the shop does not have it', () => {
    const lastEnd = { ...APPLIED, outcome: 'refused' } as const;
    const { steps } = explain({ lastEnd, readModel: null, applied: {}, categories: [], skus: [] });
    expect(steps.find(({ step }) => step === 'inShop')).toMatchObject({ state: 'missing', who: 'erp' });
    const later = steps.slice(STEPS.indexOf('inShop') + 1);
    expect(later.map(({ state, who }) => ({ state, who }))).toEqual(later.map(() => ({ state: 'unknown', who: null })));
  });

  it('names the missing thing in the sentence, and who must act after it', () => {
    const { summary } = explain({ skus: [{ externalReference: '1-a', hasPrice: false, hasStock: true }] });
    expect(summary).toBe(
      'Gondola has published no price of: 1-a. If the shop has one, it came another way. Who acts: the ERP.',
    );
    const noCategory = { categories: [], skus: [{ externalReference: '1-a', hasPrice: true, hasStock: false }] };
    expect(explain(noCategory).summary).toContain('no stock of: 1-a');
    const errors = [{ field: 'slug', code: 'SLUG_TAKEN' as const, message: 'O slug é de outro.', hint: 'x' }];
    const refused = explainProduct({ ...IN_SHOP, lastEnd: { ...APPLIED, outcome: 'refused', errors } }, 'pt-BR');
    expect(refused.summary).toBe('A plataforma recusou o último registro: O slug é de outro. (x) Quem age: o ERP.');
  });
});
