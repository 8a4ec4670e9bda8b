// UF and month, the issuer's CNPJ (which may contain letters since 2026), then model, series, number, kind of
// emission, code and check digit.
const ACCESS_KEY = /^\d{6}[0-9A-Z]{12}\d{26}$/;
const ZERO = '0'.charCodeAt(0);
const GTIN_LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14]);

/** True for a GTIN-8, -12, -13 or -14 with the correct check digit. */
export function isGtin(text: string): boolean {
  if (!/^\d+$/.test(text) || !GTIN_LENGTHS.has(text.length)) return false;
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

/** The text that an invoice has in the place of a GTIN for goods that have none (NF-e, `cEAN`). */
export const NO_GTIN = 'SEM GTIN';

/**
 * True for a bar code that identifies goods: a GTIN, or a code of the shop. Any other text in its place, `SEM GTIN`
 * included, is shared by goods that have nothing else in common.
 */
export function isBarCode(text: unknown): text is string {
  return typeof text === 'string' && (isGtin(text) || isInStoreCode(text));
}

/** True for an NCM as an invoice requires it: exactly eight digits. */
export function isNcm(text: string): boolean {
  return /^\d{8}$/.test(text);
}

/**
 * True for the access key of an NF-e: 44 characters, the last of which is the check digit, modulo 11 with the
 * weights 2 to 9 from the right. A letter counts as its character code minus that of "0", as in a CNPJ with
 * letters.
 */
export function isAccessKey(text: unknown): text is string {
  if (typeof text !== 'string' || !ACCESS_KEY.test(text)) return false;
  const sum = Array.from(text.slice(0, -1))
    .toReversed()
    .reduce((total, character, index) => total + (character.charCodeAt(0) - ZERO) * (2 + (index % 8)), 0);
  const rest = sum % 11;
  return Number(text.at(-1)) === (rest < 2 ? 0 : 11 - rest);
}
