import { decimalText, multiplesOf, multiply, parseDecimal, roundTo, type Decimal } from '../decimal.ts';
import type { Order, OrderLine } from './order.ts';

const ONE: Decimal = { units: 1n, scale: 0 };

/** How much there is of a line, and what it costs. */
export interface Measure {
  /** Units, or weight in the unit of measure. */
  readonly quantity: Decimal;
  /** Per unit of measure. */
  readonly unitPriceCents: number;
  /** What is charged; without it price × quantity. */
  readonly totalCents?: number | undefined;
}

type Weighed = Pick<OrderLine, 'unitOfMeasure' | 'arithmeticFactor'>;

/**
 * The line with this measure: `orderedQuantity` is units or sale steps, rounded, at least 1, and never what is charged
 * (docs/platform.md, "Order item").
 */
export function measuredLine<L extends Weighed>(line: L, { quantity, unitPriceCents, totalCents }: Measure) {
  const step = saleStep(line);
  const price: Decimal = { units: BigInt(unitPriceCents), scale: 2 };
  return {
    ...line,
    quantity: decimalText(quantity),
    orderedQuantity: Math.max(1, Number(multiplesOf(quantity, step))),
    unitPriceCents,
    stepPriceCents: Number(roundTo(multiply(price, step), 2)),
    totalCents: totalCents ?? Number(roundTo(multiply(price, quantity), 2)),
  };
}

export function isWeighable({ unitOfMeasure }: Pick<OrderLine, 'unitOfMeasure'>): boolean {
  return unitOfMeasure !== 'Un';
}

/** Without a usable factor a weighable item is sold in whole units of measure. */
export function saleStep(line: Weighed): Decimal {
  const factor = isWeighable(line) ? parseDecimal(line.arithmeticFactor ?? '') : undefined;
  return factor && factor.units > 0n ? factor : ONE;
}

/** Price × real quantity, before anything that lowers what is charged; never below that. */
export function grossCents({ quantity, unitPriceCents, totalCents }: OrderLine): number {
  const weight = parseDecimal(quantity) ?? ONE;
  return Math.max(totalCents, Number(roundTo(multiply({ units: BigInt(unitPriceCents), scale: 2 }, weight), 2)));
}

/** What the lines would cost without what lowers them. */
export function subtotalCents({ lines }: Pick<Order, 'lines'>): number {
  return lines.reduce((sum, line) => sum + grossCents(line), 0);
}
