import type { PickedLine } from '@gondola/shared/orders/picking-items';
import { isCentsOf, moneyProduct } from '@gondola/shared/units-and-money/money';
import { unitFrom } from '@gondola/shared/units-and-money/units';
import type { OrderItem } from '../facts/order-values.ts';

/**
 * A line of the order as it is now, for a picking that leaves it out; null if that is not known exactly. What a
 * weighed item weighs is in no payload (rule 12), so its weight is known only as long as nothing was weighed, and the
 * charged amount agrees with it.
 */
export function presentValues(line: OrderItem, skuExternalReference: string, mayBeWeighed: boolean): PickedLine | null {
  const unit = unitFrom(line.unitOfMeasure);
  const { orderedQuantity, approximateWeight, salePrice, gross, net } = line;
  if (unit === null || orderedQuantity === null || salePrice === null || net === null) return null;
  const value = unit === 'Un' ? String(orderedQuantity) : (approximateWeight?.value ?? null);
  if (value === null || !/^\d+(\.\d+)?$/.test(value) || (unit === 'Un' && !Number.isInteger(orderedQuantity)))
    return null;
  const isWeighed = mayBeWeighed || !isCentsOf(gross, moneyProduct(salePrice, value));
  if (unit !== 'Un' && isWeighed) return null;
  return {
    skuExternalReference,
    line: line.line,
    outcome: 'picked',
    substitutes: null,
    quantity: { value, unit },
    unitPrice: salePrice,
    total: net,
  };
}
