const LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14]);

/** True for a GTIN-8, -12, -13 or -14 with the correct check digit. */
export function isGtin(text: string): boolean {
  if (!/^\d+$/.test(text) || !LENGTHS.has(text.length)) return false;
  // From the right, every second digit counts three times; the sum ends in zero.
  const sum = Array.from(text)
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/**
 * True for a code that a shop assigns itself, for example to goods that it weighs and packs. It begins with 2; the
 * shop defines the rest, which may contain a price or weight and another kind of check digit.
 */
export function isInStoreCode(text: string): boolean {
  return /^2(\d{7}|\d{11}|\d{12})$/.test(text);
}

/** True for an NCM as an invoice requires it: exactly eight digits. */
export function isNcm(text: string): boolean {
  return /^\d{8}$/.test(text);
}
