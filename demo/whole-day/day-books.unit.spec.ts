import { describe, expect, it } from '@jest/globals';
import { assert, constantFrom, integer, property } from 'fast-check';
import type { OrderEvent, Result } from '../erp/erp.ts';
import { differences, type Entry, erpEntry, outcomeProblems, shopsEntry } from './testing/day-books.ts';
import { finalCents, lineCents, planDay } from './testing/day-plan.ts';
import { drawsOf } from '@gondola/local-stack/testing/seeded';

const TOTALS = { subtotal: 0, discount: 0, couponDiscount: 0, giftCard: 0, freight: 0, total: 0 };

function entryOf(seed: number): Entry {
  const [plan] = planDay(1, drawsOf(seed));
  const { lines, freight } = plan!;
  const invoice = { number: '1', value: finalCents(plan!) };
  const items = lines.map((line) => ({
    skuExternalReference: line.skuExternalReference,
    orderedQuantity: line.quantity,
    total: lineCents(line) / 100,
  }));
  const totals = { ...TOTALS, freight: freight / 100, total: finalCents(plan!) / 100 };
  return shopsEntry({ number: 1, status: 700, items, totals, invoice, invoiceFile: {} });
}

const EVENT: OrderEvent = {
  id: 'e',
  type: 'OrderApproved',
  orderNumber: 1,
  revision: 1,
  hold: false,
  status: { code: 300, name: null },
  order: {
    totals: {
      subtotal: '1.00',
      discount: '0.00',
      couponDiscount: '0.00',
      giftCard: '0.00',
      freight: '0.00',
      total: '1.00',
    },
    items: [],
  },
};

const RESULT: Result = {
  id: 'r',
  commandId: 'c',
  command: 'Ship',
  outcome: 'applied',
  final: true,
  revision: 1,
  finishedAt: '2026-11-20T10:00:00Z',
  entity: { kind: 'order' },
  reason: null,
  errors: [],
  warnings: [],
  evidence: 'event',
};

function planted(entry: Entry, key: string, cents: number): Entry {
  if (key === 'invoice') return { ...entry, invoice: (entry.invoice ?? 0) + cents };
  const [first = '', ...others] = entry.items;
  const changed = first.replace(/\d+$/, (digits) => String(Number(digits) + cents));
  if (key === 'items') return { ...entry, items: [changed, ...others] };
  return { ...entry, totals: { ...entry.totals, [key]: entry.totals[key]! + cents } };
}

describe('the books of a day', () => {
  it('differ by a cent wherever it is', () => {
    const keys = [...Object.keys(TOTALS), 'invoice', 'items'] as const;
    assert(
      property(integer({ min: 0 }), constantFrom(...keys), constantFrom(1, -1), (seed, key, cents) => {
        const entry = entryOf(seed);
        expect(differences(entry, entryOf(seed))).toEqual([]);
        expect(differences(planted(entry, key, cents), entry)).toHaveLength(1);
      }),
    );
  });

  it('may have only some of the items where the event says so, and none that are not in the order', () => {
    const entry = entryOf(1);
    const [first = '', ...others] = entry.items;
    const some = { ...entry, items: [first] };
    expect(differences(some, entry)).toHaveLength(1);
    expect(differences({ ...some, hasSomeItems: true }, entry)).toEqual([]);
    for (const items of [[], [first, first], [`1${first}`]])
      expect(
        differences({ ...entry, items, hasSomeItems: true }, { ...entry, items: [first, ...others] }),
      ).toHaveLength(1);
    const cut = { ...EVENT, cut: ['platform', 'order', 'order.items'] };
    expect([EVENT, cut].map((event) => erpEntry([event], [], () => [])?.hasSomeItems)).toEqual([false, true]);
  });

  it('have the status of the newest of event and own result, by the revision that the result names', () => {
    const sent = [{ commandId: 'c', command: 'Ship', orderNumber: 1 }];
    const later = { ...EVENT, revision: 2, status: { code: 750, name: null } };
    expect(erpEntry([EVENT], sent, () => [RESULT])?.status).toBe(600);
    expect(erpEntry([EVENT, later], sent, () => [RESULT])?.status).toBe(750);
    expect(erpEntry([EVENT], sent, () => [{ ...RESULT, outcome: 'refused' }])?.status).toBe(300);
    expect(erpEntry([], sent, () => [RESULT])).toBeNull();
  });

  it('take a command for ended by one outcome alone, and by one correction of silence', () => {
    const corrected = { ...RESULT, outcome: 'corrected', correctedOutcome: 'applied' };
    expect(outcomeProblems([RESULT])).toEqual([]);
    expect(outcomeProblems([{ ...RESULT, outcome: 'unconfirmed' }, corrected])).toEqual([]);
    for (const wrong of [[], [RESULT, RESULT], [RESULT, corrected]]) expect(outcomeProblems(wrong)).toHaveLength(1);
  });
});
