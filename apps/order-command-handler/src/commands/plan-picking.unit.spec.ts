import { sized } from '@gondola/local-stack/testing/sized';
import { PICKING_OUTCOMES, type PickedLine } from '@gondola/shared/orders/picking-items';
import { growthOf, TRIPLED_THRICE } from '@gondola/shared/testing/growth';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { amount, carriedOut, isWeighed, payloadItems, type ShopLine, wanted } from '../../test/support/picking-shop.ts';
import { readOrderValues } from '../facts/order-values.ts';
import { type KnownSku, withSkus } from '../skus/match-skus.ts';
import { planPicking } from './plan-picking.ts';

const RUNS = sized(3_000, 60_000);

/** `new` is no SKU of the catalog. `twin-a` and `twin-b` have one GUID, so that the catalog cannot tell them apart. */
const SKUS = ['un-a', 'un-b', 'kg-a', 'kg-b', 'new', 'twin-a', 'twin-b'];
const CATALOG = SKUS.filter((sku) => sku !== 'new').map((sku): KnownSku => ({
  skuExternalReference: sku,
  skuId: sku.startsWith('twin') ? 'guid twin' : `guid ${sku}`,
  productId: `product ${sku}`,
  ean: `ean ${sku}`,
  reference: `reference ${sku}`,
  name: sku,
}));

/** A line; `isPicked` if it was weighed before. */
const anyLine = fc
  .record({
    sku: fc.constantFrom(...SKUS),
    count: fc.integer({ min: 1, max: 4 }),
    grams: fc.integer({ min: 0, max: 40 }),
    priceCents: fc.integer({ min: 1, max: 5_000 }),
    discountCents: fc.constantFrom(0, 0, 1, 50),
  })
  .map(({ sku, count, grams, priceCents, discountCents }) => ({ sku, count, grams, priceCents, discountCents }));

const anyEntry = fc.record({
  at: fc.nat(),
  outcome: fc.constantFrom(...PICKING_OUTCOMES),
  other: fc.constantFrom(...SKUS),
  saysLine: fc.boolean(),
  count: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }),
  grams: fc.integer({ min: 0, max: 99 }),
  priceCents: fc.option(fc.integer({ min: 1, max: 5_000 }), { nil: null }),
  totalCents: fc.option(fc.integer({ min: 1, max: 9_000 }), { nil: null }),
});

const anyPicking = fc.record({
  ordered: fc.array(anyLine, { minLength: 1, maxLength: 5 }),
  wasWeighed: fc.boolean(),
  entries: fc.array(anyEntry, { minLength: 1, maxLength: 5 }),
  isByLine: fc.boolean(),
});

type AnyPicking = Parameters<Parameters<(typeof anyPicking)['map']>[0]>[0];

const money = (of: number | null): string | null => (of === null ? null : (of / 100).toFixed(2));

function quantityOf(sku: string, count: number, grams: number): number {
  return isWeighed(sku) ? count * 100 + grams : count * 1_000;
}

/** A picking as it comes from anywhere: the ERP knows its SKUs and the order's lines. */
function play({ ordered, wasWeighed, entries, isByLine }: AnyPicking) {
  const shop = ordered.map(({ sku, count, grams, priceCents, discountCents }): ShopLine => {
    const quantity = quantityOf(sku, count, wasWeighed ? grams : 0);
    return { sku, quantity, priceCents, totalCents: Math.max(0, amount(quantity, priceCents) - discountCents) };
  });
  const items = payloadItems(shop).map((item) =>
    JSON.stringify(item).includes('guid twin') ? { ...item, skuId: 'guid twin', id: 'product' } : item,
  );
  const { items: lines } = withSkus(readOrderValues({ items }, 1), CATALOG);
  const named = entries.map((each): { entry: PickedLine; line: number | null } => {
    const line = (each.at % shop.length) + 1;
    const ofLine = shop[line - 1]!.sku;
    const isOwn = each.outcome === 'picked' || each.outcome === 'missing';
    const sku = isOwn ? ofLine : each.other;
    const isGone = each.outcome === 'missing';
    const isNew = !isOwn;
    const count = each.count ?? (isNew ? 1 : null);
    const value = count === null || isGone ? null : String(quantityOf(sku, count, each.grams) / 1_000);
    const isNamed = each.saysLine && each.outcome !== 'added';
    const entry: PickedLine = {
      skuExternalReference: sku,
      line: isNamed ? line : null,
      outcome: each.outcome,
      substitutes: each.outcome === 'substitute' ? ofLine : null,
      quantity: value === null ? null : { value, unit: isWeighed(sku) ? 'Kg' : 'Un' },
      unitPrice: isGone ? null : money(each.priceCents ?? (isNew ? 100 : null)),
      total: isGone ? null : money(each.totalCents),
    };
    return { entry, line: each.outcome === 'added' ? null : line };
  });
  const order = { lines, skus: CATALOG, mayBeWeighed: wasWeighed };
  const plan = planPicking(
    named.map(({ entry }) => entry),
    order,
    isByLine,
  );
  return { shop, named, plan, isByLine };
}

const sorted = (lines: readonly ShopLine[] | null): readonly string[] | null =>
  lines === null ? null : lines.map((line) => JSON.stringify(line)).toSorted();

describe('a picking of an order in which one SKU may be on several lines', () => {
  it('changes the lines that it names as it says, and no other, or is invalid (rule 11)', () => {
    fc.assert(
      fc.property(anyPicking, (any) => {
        const { shop, named, plan, isByLine } = play(any);
        if (plan.problems.length > 0) return;
        expect(sorted(carriedOut(shop, plan.items, isByLine))).toEqual(sorted(wanted(shop, named)));
      }),
      { numRuns: RUNS },
    );
  });

  it('changes nothing when it is carried out once more, unless it is sent once only (rule 16)', () => {
    fc.assert(
      fc.property(anyPicking, (any) => {
        const { shop, plan, isByLine } = play(any);
        if (plan.problems.length > 0 || !plan.isRepeatable) return;
        const once = carriedOut(shop, plan.items, isByLine)!;
        expect(sorted(carriedOut(once, plan.items, isByLine) ?? once)).toEqual(sorted(once));
      }),
      { numRuns: RUNS },
    );
  });

  it('is never invalid for lines of the catalog that it names completely, each once (rule 11)', () => {
    const known = fc.constantFrom(...SKUS.slice(0, 4));
    const anyOrder = fc.record({ ...FIELDS, ordered: fc.array(fc.record({ ...LINE_FIELDS, sku: known }), SOME) });
    fc.assert(
      fc.property(anyOrder, fc.array(anyEntry, { minLength: 5, maxLength: 5 }), ({ ordered, ...rest }, entries) => {
        const each = ordered.map((_, at) => ({ ...entries[at]!, at, outcome: 'picked' as const, saysLine: true }));
        expect(play({ ...rest, ordered, entries: each }).plan.problems).toEqual([]);
      }),
    );
  });
});

describe('the items of a picking', () => {
  const substitute = { outcome: 'substitute', substitutes: 'un-a', skuExternalReference: 'un-b' } as const;
  const second = { line: 2, quantity: { value: '5', unit: 'Un' } } as const;

  it('are those of the ERP in its order, a replaced line as missing right after its substitute', () => {
    expect(post([line('un-a'), line('kg-a')], [substitute])).toMatchObject({
      items: [
        ['un-b', undefined, 'substitute', 1],
        ['un-a', 1, 'missing', 0],
      ],
      isRepeatable: true,
    });
    expect(post([line('un-a'), line('kg-a')], [{}, substitute]).items).toEqual([
      ['un-a', 1, 'picked', 1],
      ['un-b', undefined, 'substitute', 1],
    ]);
  });

  it('are all lines of a SKU on several lines, each as it is reported or as it is (rule 11)', () => {
    expect(post([line('un-a'), line('un-a'), line('un-b')], [second]).items).toEqual([
      ['un-a', 1, 'picked', 2],
      ['un-a', 2, 'picked', 5],
    ]);
    const replaced = { ...substitute, line: 2 };
    expect(post([line('un-a'), line('un-b'), line('un-b')], [{ ...replaced, line: 1 }]).items).toEqual([
      ['un-b', 2, 'picked', 2],
      ['un-b', 3, 'picked', 2],
      ['un-b', undefined, 'substitute', 1],
      ['un-a', 1, 'missing', 0],
    ]);
  });

  it('are only those of the ERP where the profile says the line, but for what is added to a SKU (rule 11)', () => {
    expect(post([line('un-a'), line('un-a')], [second], true).items).toEqual([['un-a', 2, 'picked', 5]]);
    expect(post([line('un-a'), line('un-b')], [substitute], true).items).toEqual([
      ['un-b', 2, 'picked', 2],
      ['un-b', undefined, 'substitute', 1],
      ['un-a', 1, 'missing', 0],
    ]);
  });

  it('are required of the ERP where a weighed line of the same SKU is left out (rules 11, 12)', () => {
    const { items, problems } = post([line('kg-a'), line('kg-a')], [{ line: 2, skuExternalReference: 'kg-a' }]);
    expect(items).toEqual([]);
    expect(problems).toEqual([
      {
        code: 'LINE_REQUIRED',
        field: 'items[0].line',
        skuExternalReference: 'kg-a',
        params: { given: '"kg-a"', lines: '1' },
      },
    ]);
  });

  it('are sent once only where a removed line is before another one of its SKU (rule 16)', () => {
    const [first, last] = [1, 2].map((at) => ({ line: at, outcome: 'missing', quantity: null }) as const);
    expect(post([line('un-a'), line('un-a')], [first!]).isRepeatable).toBe(false);
    expect(post([line('un-a'), line('un-a')], [last!]).isRepeatable).toBe(true);
  });

  it('are found in time that at most triples when the order doubles', async () => {
    expect(await growthOf(work(1_000), work(8_000), TRIPLED_THRICE)).toBeLessThanOrEqual(TRIPLED_THRICE);
  });
});

function post(lines: readonly ShopLine[], entries: readonly Partial<PickedLine>[], isByLine = false) {
  const picked = entries.map((entry): PickedLine => ({ ...PICKED, ...entry }));
  const plan = planPicking(picked, { lines: linesOf(lines), skus: CATALOG, mayBeWeighed: true }, isByLine);
  const items = plan.items.map((item) => [item.skuExternalReference, item.line, item.outcome, Number(item.quantity)]);
  return { items, problems: plan.problems, isRepeatable: plan.isRepeatable };
}

function work(count: number) {
  const [entries, order] = [all(count), { lines: linesOf(many(count)), skus: CATALOG, mayBeWeighed: false }];
  return () => planPicking(entries, order, false);
}

function line(sku: string, count = 2): ShopLine {
  const quantity = count * 1_000;
  return { sku, quantity, priceCents: 710, totalCents: amount(quantity, 710) };
}

function linesOf(lines: readonly ShopLine[]) {
  return withSkus(readOrderValues({ items: payloadItems(lines) }, 1), CATALOG).items;
}

function many(count: number): ShopLine[] {
  return Array.from({ length: count }, (_, n) => line(SKUS[n % 4]!));
}

function all(count: number): PickedLine[] {
  return many(count).map(({ sku }, n) => ({ ...PICKED, skuExternalReference: sku, line: n + 1 }));
}

const PICKED: PickedLine = {
  skuExternalReference: 'un-a',
  line: null,
  outcome: 'picked',
  substitutes: null,
  quantity: { value: '1', unit: 'Un' },
  unitPrice: '7.10',
  total: null,
};

const SOME = { minLength: 1, maxLength: 5 };
const FIELDS = { wasWeighed: fc.boolean(), isByLine: fc.boolean() };
const LINE_FIELDS = {
  count: fc.integer({ min: 1, max: 4 }),
  grams: fc.integer({ min: 0, max: 40 }),
  priceCents: fc.integer({ min: 1, max: 5_000 }),
  discountCents: fc.constantFrom(0, 1),
};
