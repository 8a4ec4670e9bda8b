import type { JsonRecord, JsonValue } from '@gondola/shared/json/json-digits';
import { moneyText } from '@gondola/shared/units-and-money/money';
import type { OrderItemView } from '@gondola/shared/orders/order-event';
import { approximateWeight } from '@gondola/shared/units-and-money/quantity';
import { unitName } from '@gondola/shared/units-and-money/units';
import { textOf } from './platform-fields.ts';

/**
 * One item of an order. `id` is the product's GUID and `skuId` the SKU's; the platform sends neither a reference nor a
 * name (rule 11), so the SKU is marked as not matched and the item goes out. What is charged are the platform's own
 * amounts (rule 12).
 */
export function itemOf(item: JsonRecord, line: number): OrderItemView {
  const unitOfMeasure = unitOf(item['unitOfMeasure']);
  const { orderedQuantity, arithmeticFactor } = item;
  return {
    line,
    productId: textOf(item['id']),
    skuId: textOf(item['skuId']),
    skuExternalReference: null,
    name: null,
    match: 'unknown',
    ean: textOf(item['ean']),
    reference: textOf(item['reference']),
    unitOfMeasure,
    orderedQuantity: typeof orderedQuantity === 'number' ? orderedQuantity : null,
    approximateWeight: approximateWeight({
      orderedQuantity,
      arithmeticFactor,
      unitOfMeasure: unitOfMeasure ?? undefined,
    }),
    salePrice: moneyText(item['salePrice']),
    gross: moneyText(item['totalPerProduct']),
    discount: moneyText(item['discountApplied']),
    net: moneyText(item['manualPrice']),
  };
}

/** Text in the integration API, a number in core routes (docs/platform.md, "Unit of measure type rule"). */
function unitOf(value: JsonValue | undefined): string | null {
  return typeof value === 'number' ? unitName(value) : textOf(value);
}
