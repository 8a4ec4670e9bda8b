import { describe, expect, it } from '@jest/globals';
import { parseRecord } from '@gondola/shared/json/json-digits';
import { CANARIES, orderData } from '../../test/support/platform-order.ts';
import { readOrderValues } from '../facts/order-values.ts';
import { maskPeople } from './mask-people.ts';
import { OPEN_FIELDS } from './people.dto.ts';

const text = orderData({ number: 1, status: 300, updatedAt: '2026-11-20T10:15:00' });
const order = readOrderValues(parseRecord(Buffer.from(text)) ?? {}, 1);

describe('the people of an order, masked', () => {
  it('show how each value begins, what is absent as null, and no value whole', () => {
    const masked = maskPeople(order, OPEN_FIELDS);
    expect(masked).toMatchObject({
      customer: { firstName: 'C***', email: 'c***', phone: '5***', gender: null },
      address: { zipCode: '0***', additionalInfo: null },
      payments: [{ method: 'CreditCard', value: '12.45', transactionId: 't***', authCode: null }],
    });
    expect(CANARIES.filter((canary) => JSON.stringify(masked).includes(canary))).toEqual([]);
  });

  it('show of anything that is no text only that it is there', () => {
    const payments = [{ ...order.payments[0]!, userPaymentData: { document: '00000000191' } }];
    expect(JSON.stringify(maskPeople({ ...order, payments }, OPEN_FIELDS))).not.toContain('00000000191');
  });
});
