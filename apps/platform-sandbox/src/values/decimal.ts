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

/** 1245 → `12.45`. */
export function centsText(cents: number): string {
  return new Big(cents).div(100).toFixed(2);
}

/** `12.4` → 1240; undefined if there are more than two decimals, or if it is no decimal number. */
export function centsOf(text: string): number | undefined {
  const cents = parseDecimal(text)?.times(100);
  return cents && isWhole(cents) ? cents.toNumber() : undefined;
}
