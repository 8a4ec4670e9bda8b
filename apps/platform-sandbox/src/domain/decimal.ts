/** Decimal arithmetic in integers. */

/** `units` × 10^−`scale`. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

const DECIMAL_TEXT = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Reads plain or scientific notation (`0.312`, `1e-1`); undefined when the text is no decimal number of a sane size.
 */
export function parseDecimal(text: string): Decimal | undefined {
  const match = DECIMAL_TEXT.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const units = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

/** The decimal in units of 10^−`scale`, halves away from zero. */
export function roundTo(value: Decimal, scale: number): bigint {
  if (value.scale <= scale) return value.units * 10n ** BigInt(scale - value.scale);
  return divideRounded(value.units, 10n ** BigInt(value.scale - scale));
}

/** The whole part; what is behind the point is cut off, whatever the sign. */
export function truncated({ units, scale }: Decimal): bigint {
  return units / 10n ** BigInt(scale);
}

/** How often `step` goes into `value`, rounded to a whole number. `step` must be above zero. */
export function multiplesOf(value: Decimal, step: Decimal): bigint {
  const scale = Math.max(value.scale, step.scale);
  return divideRounded(roundTo(value, scale), roundTo(step, scale));
}

export function isWhole(value: Decimal): boolean {
  return value.units % 10n ** BigInt(value.scale) === 0n;
}

/** Plain digits without trailing zeros: 3 × 0.10 is `0.3`. */
export function decimalText({ units, scale }: Decimal): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** 1245 → `12.45`. */
export function centsText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** `12.4` → 1240; undefined when there are more than two decimals, or it is no decimal number. */
export function centsOf(text: string): number | undefined {
  const value = parseDecimal(text);
  if (value === undefined) return undefined;
  const cents = roundTo(value, 2);
  if (roundTo({ units: cents, scale: 2 }, value.scale) !== value.units && value.scale > 2) return undefined;
  return Number(cents);
}

function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const doubled = 2n * (dividend < 0n ? -dividend : dividend) + divisor;
  const rounded = doubled / (2n * divisor);
  return dividend < 0n ? -rounded : rounded;
}
