import { describe, expect, it } from '@jest/globals';
import { CANARIES, orderData } from '../../test/support/platform-order.ts';
import { parseRecord } from '@gondola/shared/json/json-digits';
import { readOrderValues } from '../facts/order-values.ts';
import { eventWithoutPeople } from './erase-order-content.service.ts';

const data = orderData({ number: 7, status: 300, updatedAt: '2026-11-20T10:00:00' });
const order = readOrderValues(parseRecord(Buffer.from(data))!, 7);
const event = { id: 'e', type: 'OrderApproved', revision: 1, changes: ['status'], order };

describe('an event that waits while its order is erased', () => {
  it('keeps its course, amounts and items, and names nobody', () => {
    const text = `${JSON.stringify(event).slice(0, -1)},"platform":${data}}`;
    expect(CANARIES.filter((canary) => text.includes(canary))).not.toEqual([]);
    const left = eventWithoutPeople(Buffer.from(text))!.toString();
    expect(CANARIES.filter((canary) => left.includes(canary))).toEqual([]);
    const { totals, items } = JSON.parse(JSON.stringify(order));
    expect(JSON.parse(left)).toMatchObject({
      id: 'e',
      revision: 1,
      order: { totals, items, customer: { email: null }, address: { street: null }, payments: [] },
      platform: { number: 7, status: 300 },
    });
  });

  it('may have been cut, and stays so', () => {
    const cut = { ...event, platform: null, cut: ['platform'] };
    expect(JSON.parse(eventWithoutPeople(Buffer.from(JSON.stringify(cut)))!.toString())).toMatchObject({
      platform: null,
    });
  });

  it('has no other form', () => {
    expect(eventWithoutPeople(Buffer.from('no event'))).toBeNull();
  });
});
