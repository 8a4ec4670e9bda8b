import { describe, expect, it } from '@jest/globals';
import { queryOf } from './order-filter.ts';

describe('queryOf', () => {
  it('asks for the whole last day, in the zone of the browser', () => {
    expect(queryOf({ from: '2026-11-25', to: '2026-11-26' }, 'acme')).toEqual({
      tenant: 'acme',
      from: new Date(2026, 10, 25).toISOString(),
      to: new Date(2026, 10, 27).toISOString(),
    });
  });

  it('leaves out what is no day', () => {
    expect(queryOf({ from: 'yesterday', to: '2026-11' }, 'acme')).toEqual({ tenant: 'acme' });
  });

  it('names no shop if all are meant', () => {
    expect(queryOf({ everyShop: true, number: '10', status: '400', attention: true }, 'acme')).toEqual({
      number: '10',
      status: '400',
      attention: 'true',
    });
  });
});
