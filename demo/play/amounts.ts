/** Cents of an amount in currency units, as decimal text or as a JSON number; null stays null. */
export function asCents(amount: string | number | null): number | null {
  if (amount === null) return null;
  const [whole = '', fraction = ''] = String(amount).split('.');
  return Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'));
}

/** Cents as decimal text with two decimals. */
export function centsText(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
