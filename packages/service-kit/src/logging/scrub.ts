/** The patterns are applied to at most this many characters, however long an error message is. */
const MAX_SCANNED = 2_000;

/**
 * Removes personal data and secrets from free text before it is logged or shown: e-mail addresses, CPF and CNPJ,
 * access keys, phone and card numbers, the values of `Bearer` and `Basic`, user and password of a URL. It rather
 * removes too much (a time in milliseconds, for example) than too little; GUIDs and short numbers, such as an order's,
 * stay. A text longer than `limit` is cut.
 */
export function scrubText(text: string, limit: number): string {
  const clean = PATTERNS.reduce(
    (rest, { pattern, replacement }) => rest.replace(pattern, replacement),
    text.slice(0, MAX_SCANNED),
  );
  return bounded(text.length > MAX_SCANNED ? `${clean}…` : clean, limit);
}

/** A text of at most `limit` characters, with a sign if it was cut. */
export function bounded(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}

const REMOVED = '[removed]';

/** Any hyphen, dash or minus between the digits of a number: texts are copied from papers and pages. */
const DASH = String.raw`[\p{Pd}\u2212\u2043\u00ad]`;
/** Any blank that stays in a line. */
const BLANK = String.raw`\p{Zs}`;
const SLASH = String.raw`[/\u2044\u2215\uff0f]`;
const ALNUM = '[0-9A-Za-z]';
/** Not inside a word or a longer number; an underscore ends a word. */
const BEGIN = `(?<!${ALNUM})`;
const END = `(?!${ALNUM})`;

/** GUIDs first, in one pass with numbers, so that their groups of digits do not match as a phone number. */
const GUID = '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})';

const NUMBERS = [
  String.raw`\d{4}(?:(?:${BLANK}|${DASH})\d{4}){3}`,
  String.raw`\d{3}(?:\.|${BLANK})?\d{3}(?:\.|${BLANK})?\d{3}(?:${DASH}|\.|${BLANK})?\d{2}`,
  String.raw`\d{2}(?:\.|${BLANK})?\d{3}(?:\.|${BLANK})?\d{3}(?:${SLASH}|${BLANK})?\d{4}(?:${DASH}|${BLANK})?\d{2}`,
  String.raw`(?:\+?\d{1,3}(?:\.|${DASH}|${BLANK})?)?(?:\(\d{2}\)|\d{2}\)?)(?:\.|${DASH}|${BLANK})?9?(?:\.|${DASH}|${BLANK})?\d{4}(?:\.|${DASH}|${BLANK})?\d{4}`,
  String.raw`9?\d{4}(?:${DASH}|${BLANK})\d{4}`,
  String.raw`\d{10,}`,
].map((pattern) => BEGIN + pattern + END);

/** The CNPJ that is given out since July 2026: twelve letters or digits, and two check digits. */
const CNPJ = `${BEGIN}${ALNUM}{2}(?:\\.|${BLANK})?${ALNUM}{3}(?:\\.|${BLANK})?${ALNUM}{3}(?:${SLASH}|${BLANK})?${ALNUM}{4}(?:${DASH}|${BLANK})?\\d{2}${END}`;
const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

const IN_KEY = `(?:${BLANK}|[.])?`;
/** An access key, whose 7th to 20th characters are a CNPJ, also in groups and behind the name of its document. */
const ACCESS_KEY = `(?<!\\d)(?:\\d${IN_KEY}){6}(?:${ALNUM}${IN_KEY}){12}(?:\\d${IN_KEY}){25}\\d(?!\\d)`;

const PATTERNS: { pattern: RegExp; replacement: (match: string, first?: string) => string }[] = [
  { pattern: /\b(bearer|basic)\s+[\w+/=.~-]+/gi, replacement: (_match, scheme) => `${scheme} ${REMOVED}` },
  { pattern: /:\/\/[^\s/@]+@/g, replacement: () => `://${REMOVED}@` },
  { pattern: /[^\s@<>"'([\],;:=/]+@[^\s@<>"')[\],;:=/]+/g, replacement: () => REMOVED },
  { pattern: new RegExp(ACCESS_KEY, 'gu'), replacement: () => REMOVED },
  { pattern: new RegExp(CNPJ, 'gu'), replacement: (match) => (isCnpj(match) ? REMOVED : match) },
  { pattern: new RegExp([GUID, ...NUMBERS].join('|'), 'giu'), replacement: (_match, guid) => guid ?? REMOVED },
];

/**
 * A text of the form of a CNPJ may be words, such as "in the log from 12": it is one by its points and its slash, by
 * digits among its letters, or by its check digits.
 */
function isCnpj(text: string): boolean {
  const plain = text.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase();
  const isWords = new RegExp(BLANK, 'u').test(text) || !/\d/.test(plain.slice(0, -2));
  return /[.]/.test(text) || !isWords || checkDigitsOf(plain.slice(0, -2)) === plain.slice(-2);
}

function checkDigitsOf(base: string): string {
  const values = Array.from(base, (character) => character.charCodeAt(0) - '0'.charCodeAt(0));
  const first = digitOf(values);
  return `${first}${digitOf([...values, first])}`;
}

function digitOf(values: readonly number[]): number {
  const weights = CNPJ_WEIGHTS.slice(-values.length);
  const rest = values.reduce((sum, value, place) => sum + value * (weights[place] ?? 0), 0) % 11;
  return rest < 2 ? 0 : 11 - rest;
}
