import { Big } from 'big.js';
import { parseDecimal, rounded, type Decimal } from '../values/decimal.ts';
import type { Order, OrderLine } from './order.ts';

const ONE = new Big(1);

/** Quantity and price of a line. */
export interface Measure {
  /** Units, or weight in the unit of measure. */
  readonly quantity: Decimal;
  /** Per unit of measure. */
  readonly unitPriceCents: number;
  /** Charged amount; default: price × quantity. */
  readonly totalCents?: number | undefined;
}

type Weighed = Pick<OrderLine, 'unitOfMeasure' | 'arithmeticFactor'>;

/**
 * The line with this measure. `orderedQuantity` is units or sale steps, rounded, at least 1, and never the charged
 * quantity (docs/platform.md, "Order item").
 */
export function measuredLine<L extends Weighed>(line: L, { quantity, unitPriceCents, totalCents }: Measure) {
  const step = saleStep(line);
  return {
    ...line,
    quantity: quantity.toFixed(),
    orderedQuantity: Math.max(1, rounded(quantity.div(step))),
    unitPriceCents,
    stepPriceCents: rounded(step.times(unitPriceCents)),
    totalCents: totalCents ?? rounded(quantity.times(unitPriceCents)),
  };
}

export function isWeighable({ unitOfMeasure }: Pick<OrderLine, 'unitOfMeasure'>): boolean {
  return unitOfMeasure !== 'Un';
}

/** Without a usable factor a weighable item is sold in whole units of measure. */
export function saleStep(line: Weighed): Decimal {
  const factor = isWeighable(line) ? parseDecimal(line.arithmeticFactor ?? '') : undefined;
  return factor?.gt(0) ? factor : ONE;
}

/** Price × real quantity before discounts; never less than the charged amount. */
export function grossCents({ quantity, unitPriceCents, totalCents }: OrderLine): number {
  const weight = parseDecimal(quantity) ?? ONE;
  return Math.max(totalCents, rounded(weight.times(unitPriceCents)));
}

/** Sum of the lines before discounts. */
export function subtotalCents({ lines }: Pick<Order, 'lines'>): number {
  return lines.reduce((sum, line) => sum + grossCents(line), 0);
}
