import { describe, expect, it } from '@jest/globals';
import { orderOfBody } from './order-of-body.ts';

const orderOf = (body: unknown) => orderOfBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));

describe('the order that a body in quarantine is about', () => {
  it.each<[string, unknown]>([
    ['an order of another account', { relatedEntity: 'Order', contractAccountId: 'x', data: { number: 100_234 } }],
    ['a number as text', { relatedEntity: 'Order', data: { number: '0100234' } }],
    ['no entity', { data: { number: 100_234 } }],
    ['an entity that is not known', { relatedEntity: 'Pedido', data: { number: 100_234 } }],
    ['an entity that is no text', { relatedEntity: { a: 1 }, data: { number: 100_234 } }],
  ])('is found with %s', (_, body) => {
    expect(orderOf(body)).toBe('order/100234');
  });

  it.each<[string, unknown]>([
    ['another entity', { relatedEntity: 'Brand', data: { number: 100_234 } }],
    ['no number', { relatedEntity: 'Order', data: {} }],
    ['no data', { relatedEntity: 'Order' }],
    ['data that is no object', { relatedEntity: 'Order', data: [1] }],
    ['no JSON', '{"relatedEntity":"Order","data":{"number":100234'],
  ])('is not found with %s', (_, body) => {
    expect(orderOf(body)).toBeNull();
  });
});
