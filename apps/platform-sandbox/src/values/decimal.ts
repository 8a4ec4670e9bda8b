import { Big } from 'big.js';

export type Decimal = Big;

const DECIMAL_TEXT = /^-?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,2})?$/;

/**
 * Parses plain or scientific notation (`0.312`, `1e-1`); undefined if the text is no decimal number of a reasonable
 * size.
 */
export function parseDecimal(text: string): Decimal | undefined {
  return DECIMAL_TEXT.test(text) ? new Big(text) : undefined;
}

/** Rounds halves away from zero. */
export function rounded(value: Decimal): number {
  return value.round(0, Big.roundHalfUp).toNumber();
}

export function isWhole(value: Decimal): boolean {
  return value.eq(value.round(0, Big.roundDown));
}

/** 1245 → `12.45`; the fractions of a cent that a price may have follow, 3.99 → `0.0399`. */
export function centsText(cents: number): string {
  const amount = new Big(cents).div(100);
  const exact = amount.toFixed();
  const [, decimals = ''] = exact.split('.');
  return decimals.length > 2 ? exact : amount.toFixed(2);
}

/** `12.4` → 1240; undefined if there are more than two decimals, or if it is no decimal number. */
export function centsOf(text: string): number | undefined {
  const cents = priceCentsOf(text);
  return cents !== undefined && Number.isInteger(cents) ? cents : undefined;
}

/**
 * A price in cents, which may be a fraction: `0.0399` → 3.99, the price of a gram. Undefined if it is no decimal
 * number, or has more digits than a number holds exactly.
 */
export function priceCentsOf(text: string): number | undefined {
  const cents = parseDecimal(text)?.times(100);
  return cents && new Big(cents.toNumber()).eq(cents) ? cents.toNumber() : undefined;
}
