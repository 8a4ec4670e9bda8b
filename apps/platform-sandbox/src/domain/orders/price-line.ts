import type { Product, Sku } from '../catalog/product.ts';
import {
  centsOf,
  decimalText,
  isWhole,
  multiplesOf,
  multiply,
  parseDecimal,
  roundTo,
  type Decimal,
} from '../decimal.ts';
import { keyOf, numberText, type JsonObject } from '../exact-json.ts';
import { isUnitOfMeasure } from '../unit-of-measure.ts';
import type { OrderLine } from './order.ts';

/** What a shopper puts into the basket; quantity and price are decimal text. */
export interface BasketItem {
  readonly skuExternalReference: string;
  /** Units. Of a weighable: a whole number counts sale steps, as the customer chooses; any other is the weight that was separated. */
  readonly quantity: string;
  /** Per unit of measure. */
  readonly unitPrice: string;
}

export type LinePricing =
  | { readonly kind: 'line'; readonly line: OrderLine }
  | { readonly kind: 'invalid'; readonly problem: string };

const ONE: Decimal = { units: 1n, scale: 0 };

/**
 * Prices one basket item. `orderedQuantity` of a weighable item is the number of sale steps: those that were chosen, or the separated weight
 * in steps, rounded, at least 1. What is charged comes from the real quantity (platform-api.md: SKU, Weighable items; Order item).
 */
export function priceLine(item: BasketItem, product: Product, sku: Sku): LinePricing {
  const unitOfMeasure = keyOf(sku.fields, 'unitOfMeasurement');
  const chosen = parseDecimal(item.quantity);
  const unitPriceCents = centsOf(item.unitPrice);
  if (!isUnitOfMeasure(unitOfMeasure)) return invalid('the SKU has no unit of measure');
  if (chosen === undefined || chosen.units <= 0n) return invalid('quantity must be a number above 0');
  if (unitPriceCents === undefined || unitPriceCents < 0)
    return invalid('unitPrice must be an amount with at most two decimals');

  const weighable = unitOfMeasure !== 'Un';
  if (!weighable && !isWhole(chosen)) return invalid('quantity of a SKU sold by the unit must be a whole number');
  const step = weighable ? saleStep(sku.fields) : ONE;
  const quantity = isWhole(chosen) ? multiply(chosen, step) : chosen;
  const price: Decimal = { units: BigInt(unitPriceCents), scale: 2 };
  return {
    kind: 'line',
    line: {
      skuExternalReference: sku.externalReference,
      productId: product.id,
      skuId: sku.id,
      ean: textField(sku.fields, 'ean'),
      reference: textField(sku.fields, 'reference'),
      commercialPolicyId: textField(product.fields, 'commercialPolicyId'),
      brandId: product.brandId,
      categoryId: product.categoryId,
      unitOfMeasure,
      arithmeticFactor: numberText(keyOf(sku.fields, 'arithmeticFactor')) ?? null,
      minimumWeightForSale: numberText(keyOf(sku.fields, 'minimumWeightForSale')) ?? null,
      quantity: decimalText(quantity),
      orderedQuantity: Math.max(1, Number(multiplesOf(quantity, step))),
      unitPriceCents,
      stepPriceCents: Number(roundTo(multiply(price, step), 2)),
      totalCents: Number(roundTo(multiply(price, quantity), 2)),
    },
  };
}

/** Without a usable factor a weighable item is sold in whole units of measure. */
function saleStep(sku: JsonObject): Decimal {
  const factor = parseDecimal(numberText(keyOf(sku, 'arithmeticFactor')) ?? '');
  return factor && factor.units > 0n ? factor : ONE;
}

function textField(fields: JsonObject, key: string): string {
  const value = keyOf(fields, key);
  return typeof value === 'string' ? value : '';
}

function invalid(problem: string): LinePricing {
  return { kind: 'invalid', problem };
}
