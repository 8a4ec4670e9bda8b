import { describe, expect, it } from '@jest/globals';
import { at, stateFact } from '../../test/support/facts.ts';
import { PAYLOAD_READ } from './order-fact.ts';
import { areValuesOutdated, isReadingDoubted, foldFacts } from './order-state.ts';

const paid = stateFact(300, at(0), { id: '1' });
const read = stateFact(500, at(20), { id: '2', source: 'read', eventType: 'GET status', hasItems: false });
const readPayload = stateFact(500, at(20), { id: '2', source: 'read', eventType: PAYLOAD_READ, hasItems: false });
const isDoubted = (...facts: ReturnType<typeof stateFact>[]) => isReadingDoubted(foldFacts(facts)!);

const areOutdated = (...facts: ReturnType<typeof stateFact>[]) => areValuesOutdated(foldFacts(facts)!);
const undated = (status: number) => stateFact(status, at(10), { id: '3', ticks: null });
const statusless = (minute: number, more: object = {}) => {
  return stateFact(500, at(minute), { id: '3', status: null, ...more });
};

describe('a reading', () => {
  it('is in doubt once a notification that was received later, but counts as older, differs', () => {
    expect(isDoubted(paid, read, stateFact(800, at(10), { id: '3' }))).toBe(true);
    expect(isDoubted(paid, readPayload, stateFact(1300, at(10), { id: '3' }))).toBe(true);
  });

  it('is in doubt once a notification without a date tells another status, or new values', () => {
    for (const known of [paid, read])
      for (const status of [800, 1300]) expect(isDoubted(known, undated(status))).toBe(true);
    expect(isDoubted(paid, undated(300))).toBe(false);
    expect(isDoubted({ ...paid, ticks: null }, undated(400))).toBe(false);
    expect(isDoubted(paid, undated(800), { ...read, id: '4' })).toBe(false);
    expect(isDoubted(paid, undated(800), stateFact(800, at(30), { id: '4' }))).toBe(false);
  });

  it('is in doubt once a whole order comes without a status, unless it is older', () => {
    expect(isDoubted(paid, statusless(10))).toBe(true);
    expect(isDoubted(paid, statusless(10, { ticks: null }))).toBe(true);
    expect(isDoubted(read, statusless(10))).toBe(false);
    expect(isDoubted(paid, statusless(10, { eventType: 'Order_InvoiceUploaded' }))).toBe(false);
    expect(isDoubted(paid, statusless(10), { ...read, id: '4' })).toBe(false);
  });

  it.each([
    ['one that was known at the reading', [paid, read]],
    ['one that says the same', [paid, read, stateFact(500, at(10), { id: '3' })]],
    ['one that counts as newer', [paid, read, stateFact(800, at(30), { id: '3' })]],
    ['a failure', [paid, read, stateFact(800, at(10), { id: '3', failure: true })]],
    [
      'one before a further reading',
      [paid, read, stateFact(800, at(10), { id: '3' }), { ...read, id: '4', ticks: read.ticks! + 1n }],
    ],
  ])('is in no doubt by %s', (_, facts) => {
    expect(isDoubted(...facts)).toBe(false);
  });
});

describe('the values of an order', () => {
  it('are outdated by a recalculation without a date, until newer ones are heard of or read', () => {
    expect(areOutdated(paid, undated(1300))).toBe(true);
    expect(areOutdated(paid, undated(1300), { ...readPayload, id: '4' })).toBe(false);
    expect(areOutdated(paid, undated(1300), stateFact(400, at(30), { id: '4' }))).toBe(false);
  });

  it('are not outdated by anything else', () => {
    expect(areOutdated(paid)).toBe(false);
    expect(areOutdated(paid, undated(400))).toBe(false);
    expect(areOutdated(paid, stateFact(1300, at(10), { id: '3' }))).toBe(false);
    expect(areOutdated({ ...paid, ticks: null }, undated(1300))).toBe(false);
  });
});
