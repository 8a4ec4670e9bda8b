import { describe, expect, it } from '@jest/globals';

import { ordersNamedBy } from './orders-named-by.ts';

const record = (value: string | null, key: string | null = null) => ({
  key: key === null ? null : Buffer.from(key),
  value: value === null ? null : Buffer.from(value),
});

describe('a stored record is about an order', () => {
  it.each([
    ['a command, a result or an event names it', '{"orderNumber":100234}'],
    ['its number is text', '{"orderNumber":"100234"}'],
    ['a notification names it', '{"data":{"number":100234}}'],
    ['it is no JSON, and the number has zeros before it', 'order 0100234'],
    ['it is a number alone', '100234'],
    ['it is a list that holds the number', '[{"data":{"number":100234}}]'],
    ['its data is text', '{"data":"{\\"number\\":100234}"}'],
    ['its number is unreadable, and it holds the number elsewhere', '{"orderNumber":"n. 100234"}'],
    ['it is no JSON and holds the number', '{"orderNumber": 100234, "customer": "Cliente'],
  ])('if %s', (_why, value) => {
    expect(ordersNamedBy(record(value)).has('100234')).toBe(true);
  });

  it('if only its key is the number', () => {
    expect(ordersNamedBy(record(null, '100234')).has('100234')).toBe(true);
  });

  it.each([
    ['it names another one', '{"orderNumber":1002345}'],
    ['the number is something else in it', '{"orderNumber":7,"total":100234}'],
  ])('not if %s', (_why, value) => {
    expect(ordersNamedBy(record(value, '100234')).has('100234')).toBe(false);
  });
});
