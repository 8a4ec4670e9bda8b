import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { asked } from '../../test/support/asked.ts';

const COMMAND = { commandId: 'c-1', command: 'RegisterInvoice', orderNumber: 7, number: '8812' };

function registered(value: string | number, issuedAt = '2026-11-20T10:15:00-03:00'): string {
  const { registration } = asked({ ...COMMAND, value, issuedAt }) as { registration: { body: string } };
  return registration.body;
}

describe('the registration of an invoice', () => {
  it('has the number as text, the date in UTC with Z and the value in cents (rules 13, 14)', () => {
    expect(registered('187.45')).toBe('{"number":"8812","issuanceDate":"2026-11-20T13:15:00Z","value":18745}');
  });

  it.each([
    ['19.99', 1999],
    [19.99, 1999],
    ['187.45', 18745],
    ['187.4500', 18745],
    ['187', 18700],
    ['0.1', 10],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('turns %j into %i cents (rule 14)', (value, cents) => {
    expect(registered(value)).toContain(`"value":${cents}}`);
  });

  it('turns any amount into its exact cents (rule 14)', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.nat(99), fc.nat(3), (whole, cents, zeros) => {
        const text = `${whole}.${String(cents).padStart(2, '0')}${'0'.repeat(zeros)}`;
        expect(registered(text)).toContain(`"value":${BigInt(whole) * 100n + BigInt(cents)}}`);
      }),
    );
  });

  it.each([
    ['2026-11-20T23:30:00-03:00', '2026-11-21T02:30:00Z'],
    ['2026-11-20T10:15:00.5Z', '2026-11-20T10:15:00.5Z'],
    ['2026-12-31T22:00:00+00:00', '2026-12-31T22:00:00Z'],
  ])('writes %s as %s (rule 13)', (issuedAt, utc) => {
    expect(registered('1.00', issuedAt)).toContain(`"issuanceDate":"${utc}"`);
  });
});
