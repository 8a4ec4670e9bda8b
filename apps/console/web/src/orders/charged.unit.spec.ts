import { describe, expect, it } from '@jest/globals';
import { chargedKilograms, isRecalculated, lastHeard } from './charged.ts';
import type { OrderItem, TimelineEntry } from './order-parts.ts';

const CHEESE: OrderItem = {
  line: 1,
  skuExternalReference: '4711-1',
  name: 'Queijo',
  ean: null,
  unitOfMeasure: 'Kg',
  orderedQuantity: 3,
  approximateWeight: { value: '0.3', unit: 'Kg' },
  salePrice: '39.90',
  gross: '12.45',
  discount: '0.00',
  net: '12.45',
};

function heard(code: number): TimelineEntry {
  const status = { code, name: null };
  const nothing = { source: 'notification', operationId: null, error: null } as const;
  return { at: '08:00', kind: 'fact', eventType: 'Order_Updated', status, ...nothing };
}

function event(revision: number): TimelineEntry {
  return { at: '08:00', kind: 'event', type: 'ItemsRecalculated', revision, status: null };
}

describe('chargedKilograms', () => {
  it('is the amount divided by the price of a kilogram, to the gram', () => {
    expect(chargedKilograms(CHEESE)).toBe('0.312');
  });

  it.each([
    ['units', { unitOfMeasure: 'Un' }],
    ['an unknown amount', { gross: null }],
    ['an unknown price', { salePrice: null }],
    ['a price of nothing', { salePrice: '0.00' }],
    ['no number', { gross: '<img>' }],
  ])('is not known of %s', (_what, other) => {
    expect(chargedKilograms({ ...CHEESE, ...other })).toBeNull();
  });
});

describe('an order', () => {
  it('is recalculated once the platform has said so', () => {
    expect(isRecalculated([heard(300), heard(400)])).toBe(false);
    expect(isRecalculated([heard(300), heard(1_300), heard(350)])).toBe(true);
  });

  it('is with the ERP as the last event has it', () => {
    expect(lastHeard([heard(300)])).toBeNull();
    expect(lastHeard([event(1), event(2), heard(350)])).toMatchObject({ revision: 2 });
  });
});
