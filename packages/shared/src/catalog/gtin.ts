const LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14]);

/** Whether the text is a GTIN-8, -12, -13 or -14 with the right check digit. */
export function isGtin(text: string): boolean {
  if (!/^\d+$/.test(text) || !LENGTHS.has(text.length)) return false;
  // From the right, every second digit counts three times; all together end in zero.
  const sum = Array.from(text)
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/**
 * Whether the text is a code that a shop gives itself, such as that of what it weighs and packs: it begins with 2, and
 * what follows is the shop's own, a price or weight with a check digit of another sum among it.
 */
export function isInStoreCode(text: string): boolean {
  return /^2(\d{7}|\d{11}|\d{12})$/.test(text);
}

/** Whether the text is an NCM as an invoice takes it: eight digits, nothing else. */
export function isNcm(text: string): boolean {
  return /^\d{8}$/.test(text);
}
