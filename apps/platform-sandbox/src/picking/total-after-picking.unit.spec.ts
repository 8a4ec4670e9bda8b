import { expect, it } from '@jest/globals';
import { anOrder } from '../../test/support/orders.ts';
import { totalAfterPicking } from './total-after-picking.ts';

const picked = (quantity: string, more: object = {}) => [{ skuExternalReference: '4711-1', quantity, ...more }];

it.each([
  ['by weight and price', picked('0.298'), 1_189],
  ['by another price', picked('0.5', { price: '40.00' }), 2_000],
  ['by a total', picked('0.298', { total: '10.00' }), 1_000],
  ['nothing of it', picked('0'), 0],
  ['not named', [], 1_245],
])('the total of an order whose item was picked %s', (_how, items, cents) => {
  expect(totalAfterPicking(anOrder(), items)).toBe(cents);
});
