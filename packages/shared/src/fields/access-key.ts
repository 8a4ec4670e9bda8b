// UF and month, the issuer's CNPJ (which may contain letters since 2026), then model, series, number, kind of
// emission, code and check digit.
const ACCESS_KEY = /^\d{6}[0-9A-Z]{12}\d{26}$/;
const ZERO = '0'.charCodeAt(0);

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
