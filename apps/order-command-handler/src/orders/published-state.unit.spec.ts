import { parseRecord } from '@gondola/shared/json/json-digits';
import { describe, expect, it } from '@jest/globals';
import { stateFact } from '../../test/support/facts.ts';
import { orderData } from '../../test/support/platform-order.ts';
import { readOrderValues } from '../facts/order-values.ts';
import { changedParts, confirmStatus, NOTHING_PUBLISHED, partsOf } from './published-state.ts';

const DATA = orderData({ number: 100_001, status: 300, updatedAt: '2026-11-20T10:15:00' });

describe('partsOf', () => {
  it('gives the hashes that are stored for published orders: others would publish a change of every order (rule 10)', () => {
    expect(partsOf(readOrderValues(parseRecord(Buffer.from(DATA))!, 100_001))).toEqual({
      orderId: '8054cd08a9186562',
      createdAt: '4624648a6abcdb3d',
      origin: 'efe4feb8e60f9bb5',
      fulfilment: '6ef391924babbd5c',
      seller: '5f4333d1954306a1',
      currency: '5f5c44471f20618f',
      totals: 'ae67a3780961f118',
      coupon: '74234e98afe7498f',
      giftCard: '74234e98afe7498f',
      acceptedPayment: 'b5ce6213e08af388',
      customer: '73f62b2d81fef6f5',
      address: '21f688f35aa468b9',
      payments: '32813a6a5f6cc0ab',
      items: '9ec03dbb3afffff9',
    });
  });
});

describe('partsOf a seller', () => {
  it('differ by its code alone: a shop that moves changes no order', () => {
    const values = readOrderValues(parseRecord(Buffer.from(DATA))!, 100_001);
    const sellerOf = (more: object) => partsOf({ ...values, seller: { ...values.seller, ...more } })['seller'];
    expect(sellerOf({ phone: '1130000002', name: 'Loja Nova' })).toBe(sellerOf({}));
    expect(sellerOf({ sellerCode: 'loja-04' })).not.toBe(sellerOf({}));
  });
});

describe('changedParts', () => {
  it('names what differs, and nothing that a newer version reads for the first time (rule 10)', () => {
    const published = { ...NOTHING_PUBLISHED, parts: { totals: 'a', items: 'b' } };
    expect(changedParts(published, { totals: 'a', items: 'c', coupon: 'd' })).toEqual(['items']);
    expect(changedParts(NOTHING_PUBLISHED, { totals: 'a', items: 'c' })).toEqual(['totals', 'items']);
  });
});

describe('confirmStatus', () => {
  const SHIPPED = { ...NOTHING_PUBLISHED, revision: 3, status: 600 };
  it('takes a status for published that is newer than the published one (rule 10)', () => {
    expect(confirmStatus(SHIPPED, 700, facts(600, 700)).status).toBe(700);
    expect(confirmStatus(SHIPPED, 500, facts(500, 600)).status).toBe(600);
  });

  it('takes it also if the order already went back from it, so that the return becomes an event (rule 10)', () => {
    expect(confirmStatus(SHIPPED, 700, facts(600, 700, 600)).status).toBe(700);
  });
});

function facts(...statuses: number[]) {
  return { facts: statuses.map((status, minute) => stateFact(status, `2026-11-20T10:0${minute}:00`)) };
}
