import { describe, expect, it } from '@jest/globals';
import { envelopeOf, isSubscribed } from './notification.ts';
import { RegistrationBody } from './registration.ts';

const GOOD = { originType: 'Api_call', originData: 'gondola', url: 'http://x', eventTypes: ['Order_Updated'] };

function problems(body: unknown): string[] {
  const issues = RegistrationBody.safeParse(body).error?.issues ?? [];
  return issues.map(({ path }) => path.map((key) => (typeof key === 'number' ? `[${key}]` : String(key))).join(''));
}

describe('a webhook registration', () => {
  it.each(['User', 'Api_call', 1, 2])('accepts %j as originType', (originType) => {
    expect(problems({ ...GOOD, originType })).toEqual([]);
  });

  it.each([
    ['originType', 'Erp'],
    ['originType', 3],
    ['originType', undefined],
    ['originData', ''],
    ['originData', undefined],
    ['url', ''],
    ['url', null],
    ['eventTypes[0]', ['Order_Exploded']],
    ['eventTypes[1]', ['Order_Updated', 14]],
    ['eventTypes', 'Order_Updated'],
  ])('with a bad %s is refused: %j', (field, value) => {
    const key = field.replace(/\[.*/, '');
    expect(problems({ ...GOOD, [key]: value })).toEqual([field]);
  });

  it('accepts any non-empty url', () => {
    expect(problems({ ...GOOD, url: 'not a url' })).toEqual([]);
  });

  it('accepts every documented event name, and the usual ones of entities without documented names', () => {
    expect(
      problems({ ...GOOD, eventTypes: ['Operation_Failed', 'Brand_CreationFailed', 'SKUPricing_Updated'] }),
    ).toEqual([]);
  });

  it('without eventTypes subscribes to no event', () => {
    const registration = RegistrationBody.parse({ ...GOOD, eventTypes: undefined });
    expect(registration).toMatchObject({ eventTypes: [], authType: null, authToken: null });
  });

  it.each([[null], [[]], ['text'], [3]])('that is %j is refused', (body) => {
    expect(RegistrationBody.safeParse(body).success).toBe(false);
  });
});

it('an event outside the subscription is dropped, and so is every event without a webhook', () => {
  expect(isSubscribed({ eventTypes: ['Order_Updated'] }, 'Order_Updated')).toBe(true);
  expect(isSubscribed({ eventTypes: ['Order_Updated'] }, 'Order_StatusUpdateFailed')).toBe(false);
  expect(isSubscribed(undefined, 'Order_Updated')).toBe(false);
});

it('the envelope has five keys, with error only for failures', () => {
  const notification = {
    operationId: 'o',
    contractAccountId: 'c',
    relatedEntity: 'Order',
    eventType: 'Order_Updated',
    data: { number: 1 },
  } as const;
  expect(JSON.stringify(envelopeOf(notification))).toBe(
    '{"operationId":"o","contractAccountId":"c","relatedEntity":"Order","eventType":"Order_Updated","data":{"number":1}}',
  );
});
