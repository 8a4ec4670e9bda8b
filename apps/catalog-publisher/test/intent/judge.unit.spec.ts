import { describe, expect, it } from '@jest/globals';
import { type Evidence, judge, type RecordEnd } from './judge.ts';
import { planOf, weatherOf } from './plan.ts';
import { type Content, POLICIES, type SentRecord } from './sent-record.ts';

type Doctored = { -readonly [K in keyof Evidence]: Evidence[K] };

const POLICY = POLICIES['varejo']!;
const APPLIED: RecordEnd = { outcome: 'applied', codes: [] };

function sent(id: string, kind: SentRecord['kind'], content: Content): SentRecord {
  return { id, kind, reference: String(content['externalReference']), content: { ...content, recordId: id } };
}

const SKU = { externalReference: 'p0-1', name: 'Peça' };
const PRODUCT = { externalReference: 'p0', title: 'Queijo', punctuation: 1, skus: [SKU] };
const TREE = { externalReference: 'c0', title: 'Frios', children: [{ externalReference: 'c1', title: 'Queijos' }] };
const RECORDS: readonly SentRecord[] = [
  sent('brand', 'brand', { externalReference: 'b0', title: 'Serra', punctuation: 1 }),
  sent('gone', 'brand', { externalReference: 'b2', title: 'Fora' }),
  sent('removal', 'brand', { externalReference: 'b2', op: 'delete' }),
  sent('tree', 'category', TREE),
  sent('product', 'product', PRODUCT),
  sent('part', 'product', { externalReference: 'p0', punctuation: 2, brandExternalReference: null }),
  sent('hidden', 'product', { externalReference: 'p0', op: 'deactivate' }),
  sent('warehouse', 'warehouse', { externalReference: 'w0', data: { name: 'Loja' } }),
  sent('alias', 'price', { externalReference: 'p0-1', policy: 'varejo', data: { price: '1.00' } }),
  sent('guid', 'price', { externalReference: 'p0-1', policy: POLICY, data: { price: '2.00' } }),
  sent('inside', 'price', { externalReference: 'p0-1', data: { price: '3.00', commercialPolicyId: POLICY } }),
  sent('stock', 'stock', { externalReference: 'p0-1', warehouse: 'w0', data: { quantity: 4 } }),
  sent('other-stock', 'stock', { externalReference: 'p0-1', data: { quantity: 5, warehouseId: 'w1' } }),
];

const SHOP: ReadonlyMap<string, Content> = new Map<string, Content>([
  ['brand b0', { title: 'Serra', punctuation: 1 }],
  ['category c0', { title: 'Frios', showInStoreFront: true }],
  ['category c1', { title: 'Queijos', showInStoreFront: true, parentExternalReference: 'c0' }],
  ['product p0', { title: 'Queijo', punctuation: 2, active: false, brandExternalReference: null, slug: 'p0' }],
  ['sku p0-1', { name: 'Peça' }],
  ['warehouse w0', { name: 'Loja' }],
  [`price p0-1 ${POLICY}`, { price: '3.00' }],
  ['stock p0-1 w0', { quantity: 4 }],
  ['stock p0-1 w1', { quantity: 5 }],
]);

/** Evidence without contradictions; one price was sent while another waited. */
const GOOD: Evidence = {
  records: RECORDS,
  ends: new Map([...RECORDS.map(({ id }) => [id, APPLIED] as const), ['guid', { outcome: 'superseded', codes: [] }]]),
  shop: SHOP,
};

function shows(books: Doctored, identity: string, fields: Content | null): void {
  const shop = new Map(SHOP);
  if (fields === null) shop.delete(identity);
  else shop.set(identity, { ...SHOP.get(identity), ...fields });
  books.shop = shop;
}

function ended(books: Doctored, id: string, outcome: string | null, ...codes: string[]): void {
  const ends = new Map(books.ends);
  if (outcome === null) ends.delete(id);
  else ends.set(id, { outcome, codes });
  books.ends = ends;
}

function also(books: Doctored, record: SentRecord, outcome = 'applied'): void {
  books.records = [...books.records, record];
  ended(books, record.id, outcome);
}

/** Each adds one contradiction. */
const DOCTORED: Readonly<Record<string, (books: Doctored) => void>> = {
  'an older value of a field': (books) => shows(books, 'product p0', { punctuation: 1 }),
  'an older value of a price': (books) => shows(books, `price p0-1 ${POLICY}`, { price: '2.00' }),
  'a value that a part emptied': (books) => shows(books, 'product p0', { brandExternalReference: 'b0' }),
  'a product that was hidden': (books) => shows(books, 'product p0', { active: true }),
  'a product that is missing': (books) => shows(books, 'product p0', null),
  'a SKU that is missing': (books) => shows(books, 'sku p0-1', null),
  'a category of a tree below another one': (books) => shows(books, 'category c1', { parentExternalReference: 'c2' }),
  'a brand that was removed': (books) => shows(books, 'brand b2', { title: 'Fora' }),
  'a brand that is missing': (books) => shows(books, 'brand b0', null),
  'a stock of one warehouse that another one superseded': (books) => {
    ended(books, 'stock', 'superseded');
    shows(books, 'stock p0-1 w0', null);
  },
  'a value that is called unchanged': (books) => {
    ended(books, 'inside', 'unchanged');
    shows(books, `price p0-1 ${POLICY}`, { price: '2.00' });
  },
  'a price that nobody sent': (books) => shows(books, 'price p0-1 varejo', { price: '1.00' }),
  'a product that was deleted and sent again whole, and is hidden': (books) => {
    also(books, sent('deletion', 'product', { externalReference: 'p0', op: 'delete' }));
    also(books, sent('again', 'product', PRODUCT), 'unchanged');
    shows(books, 'product p0', { punctuation: 1 });
  },
  'a record without an outcome': (books) => ended(books, 'stock', null),
  'a record that is refused': (books) => ended(books, 'alias', 'refused'),
  'a part that is refused though its brand was confirmed': (books) => {
    ended(books, 'stock', 'unconfirmed');
    also(books, sent('position', 'brand', { externalReference: 'b0', punctuation: 2 }), 'refused');
  },
  'a part that is refused though nothing was ever unconfirmed': (books) =>
    also(books, sent('position', 'brand', { externalReference: 'b9', punctuation: 2 }), 'refused'),
  'a whole brand that is refused': (books) => {
    ended(books, 'stock', 'unconfirmed');
    also(books, sent('whole', 'brand', { externalReference: 'b9', name: 'Nove', punctuation: 2 }), 'refused');
  },
  'a record that is invalid': (books) => ended(books, 'alias', 'invalid', 'REFERENCE_MISSING'),
  'one that is invalid for another reason than what was never confirmed': (books) => {
    ended(books, 'brand', 'unconfirmed');
    ended(books, 'alias', 'invalid', 'LIMIT');
  },
};

/** Each is no contradiction. */
const EXCUSED: Readonly<Record<string, (books: Doctored) => void>> = {
  'a repeat of an older record': (books) => (books.records = [...RECORDS, RECORDS[8]!]),
  'a part that changes what was hidden': (books) => {
    also(books, sent('later', 'product', { externalReference: 'p0', punctuation: 7 }));
    shows(books, 'product p0', { punctuation: 7 });
  },
  'a part that is refused since its category was never confirmed': (books) => {
    ended(books, 'tree', 'unconfirmed');
    also(books, sent('position', 'category', { externalReference: 'c1', position: 2 }), 'refused');
  },
  'what hid a product that was never created': (books) => {
    for (const { id, kind } of RECORDS) if (kind === 'product') ended(books, id, 'unconfirmed');
    also(books, sent('deactivation', 'product', { externalReference: 'p0', op: 'deactivate' }), 'unchanged');
    shows(books, 'product p0', null);
  },
  'what is invalid since its product was never confirmed, and what it superseded': (books) => {
    ended(books, 'product', 'unconfirmed');
    ended(books, 'alias', 'superseded');
    ended(books, 'guid', 'superseded');
    ended(books, 'inside', 'invalid', 'REFERENCE_MISSING');
    shows(books, `price p0-1 ${POLICY}`, null);
  },
};

describe('the judgement of a shop against the intent', () => {
  it('finds nothing in good evidence', () => {
    expect(judge(GOOD)).toEqual({ problems: [], owed: [] });
  });

  it.each(Object.entries(DOCTORED))('finds %s', (_, doctor) => {
    const books: Doctored = { ...GOOD };
    doctor(books);
    expect(judge(books).problems).toHaveLength(1);
  });

  it.each(Object.entries(EXCUSED))('excuses %s', (_, doctor) => {
    const books: Doctored = { ...GOOD };
    doctor(books);
    expect(judge(books).problems).toEqual([]);
  });

  it('owes the newest value of a record that does not say that the shop has it', () => {
    const books: Doctored = { ...GOOD };
    ended(books, 'inside', 'unconfirmed');
    shows(books, `price p0-1 ${POLICY}`, { price: '2.00' });
    expect(judge(books)).toEqual({ problems: [], owed: [RECORDS[10]] });
  });
});

describe('a plan', () => {
  it('is the same for the same seed, and another for another one', () => {
    expect(planOf(1, 20)).toEqual(planOf(1, 20));
    expect(planOf(1, 20).steps).not.toEqual(planOf(2, 20).steps);
    expect(weatherOf(1)).toEqual(weatherOf(1));
  });

  it('has all kinds, files that are interrupted, removals and repeats', () => {
    const plans = Array.from({ length: 50 }, (_, seed) => planOf(seed, 20));
    const steps = plans.flatMap(({ creations, steps: others }) => [creations, ...others]);
    const records = steps.flatMap((step) => (step.kind === 'records' ? step.records : []));
    expect(new Set(records.map(({ kind }) => kind)).size).toBe(6);
    expect(new Set(records.map(({ content }) => content?.['op']))).toEqual(
      new Set([undefined, 'delete', 'activate', 'deactivate']),
    );
    const loads = steps.flatMap((step) => (step.kind === 'load' ? [step] : []));
    expect(new Set(loads.map(({ kill }) => kill === null))).toEqual(new Set([true, false]));
  });
});
