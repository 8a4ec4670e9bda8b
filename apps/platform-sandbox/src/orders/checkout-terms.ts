import { grossCents, subtotalCents } from './measured-line.ts';
import type { CheckoutTerms, Order, OrderLine } from './order.ts';

export type Discounting =
  | { readonly kind: 'lines'; readonly lines: readonly OrderLine[] }
  | { readonly kind: 'invalid'; readonly problem: string };

/**
 * Lines after promotion and coupon, which are apportioned by the price of each line: the sum of `manualPrice` is
 * the total (docs/platform.md, "Order item"). A gift card lowers only the total.
 */
export function discountLines(lines: readonly OrderLine[], terms: CheckoutTerms): Discounting {
  const subtotal = subtotalCents({ lines });
  const discount = (terms.promotion?.cents ?? 0) + (terms.coupon?.cents ?? 0);
  if (discount > subtotal) return { kind: 'invalid', problem: 'promotion and coupon are more than the items cost' };
  if (terms.giftCardCents > subtotal - discount + terms.freightCents) {
    return { kind: 'invalid', problem: 'giftCard is more than the order costs' };
  }
  const parts = apportion(
    discount,
    lines.map(({ totalCents }) => totalCents),
  );
  return {
    kind: 'lines',
    lines: lines.map((line, index) => ({ ...line, totalCents: line.totalCents - (parts[index] ?? 0) })),
  };
}

/** Discounts of the lines by promotion and by coupon, after picking has changed the lines. */
export function discounts(order: Pick<Order, 'lines' | 'coupon'>): { discountCents: number; couponCents: number } {
  const all = order.lines.reduce((sum, line) => sum + grossCents(line) - line.totalCents, 0);
  const couponCents = Math.min(order.coupon?.cents ?? 0, all);
  return { discountCents: all - couponCents, couponCents };
}

/**
 * Divides an amount in proportion to the weights, in whole cents: each share is rounded down, and the remaining
 * cents go to the shares that lost most by it, the earlier one if two lost the same. No share exceeds its weight
 * unless the amount exceeds the sum of the weights.
 */
export function apportion(cents: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(cents) * BigInt(weight));
  const parts = exact.map((product) => Number(product / BigInt(sum)));
  const lost = exact.map((product) => Number(product % BigInt(sum)));
  const left = cents - parts.reduce((total, part) => total + part, 0);
  const lucky = new Set([...lost.keys()].toSorted((a, b) => (lost[b] ?? 0) - (lost[a] ?? 0)).slice(0, left));
  return parts.map((part, index) => part + (lucky.has(index) ? 1 : 0));
}
