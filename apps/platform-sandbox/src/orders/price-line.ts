import { isWeighable, measuredLine, saleStep, type Measure } from './measured-line.ts';
import type { OrderLine } from './order.ts';
import type { Product, Sku } from '../products/product.ts';
import { isWhole, parseDecimal, priceCentsOf } from '../values/decimal.ts';
import { keyOf, numberText, type JsonObject } from '../values/exact-json.ts';
import { isUnitOfMeasure } from '../values/unit-of-measure.ts';

/** Chosen by a shopper; both numbers as decimal text. */
export interface BasketItem {
  readonly skuExternalReference: string;
  readonly quantity: string;
  /** Per unit of measure. */
  readonly unitPrice: string;
}

export type LinePricing =
  | { readonly kind: 'line'; readonly line: OrderLine }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Prices one basket item (docs/platform.md, "SKU"; Order item). */
export function priceLine(item: BasketItem, product: Product, sku: Sku): LinePricing {
  const shelf = shelfLine(product, sku);
  const chosen = parseDecimal(item.quantity);
  const unitPriceCents = priceCentsOf(item.unitPrice);
  if (shelf === undefined) return invalid('the SKU has no unit of measure');
  if (!chosen?.gt(0)) return invalid('quantity must be a number above 0');
  if (unitPriceCents === undefined || unitPriceCents < 0)
    return invalid('unitPrice must be a price of at least 0, of up to 15 digits');
  if (!isWeighable(shelf) && !isWhole(chosen)) {
    return invalid('quantity of a SKU sold by the unit must be a whole number');
  }
  const quantity = isWhole(chosen) ? chosen.times(saleStep(shelf)) : chosen;
  return { kind: 'line', line: measuredLine(shelf, { quantity, unitPriceCents }) };
}

/** A line of an order without quantity and price: the catalog's present data of the SKU. */
type ShelfLine = Omit<OrderLine, 'quantity' | 'orderedQuantity' | 'unitPriceCents' | 'stepPriceCents' | 'totalCents'>;

/** A line for a SKU of the catalog; undefined if the SKU has no unit of measure. */
export function catalogLine(product: Product, sku: Sku, measure: Measure): OrderLine | undefined {
  const shelf = shelfLine(product, sku);
  return shelf && measuredLine(shelf, measure);
}

function shelfLine(product: Product, sku: Sku): ShelfLine | undefined {
  const unitOfMeasure = keyOf(sku.fields, 'unitOfMeasurement');
  if (!isUnitOfMeasure(unitOfMeasure)) return undefined;
  return {
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
  };
}

function textField(fields: JsonObject, key: string): string {
  const value = keyOf(fields, key);
  return typeof value === 'string' ? value : '';
}

function invalid(problem: string): LinePricing {
  return { kind: 'invalid', problem };
}
