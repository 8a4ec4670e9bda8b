/** The patterns are applied to at most this many characters, however long an error message is. */
const MAX_SCANNED = 2_000;
/**
 * Removes personal data and secrets from free text before it is logged or shown: e-mail addresses, CPF and CNPJ,
 * phone and card numbers, the values of `Bearer` and `Basic`, user and password of a URL. It rather removes too
 * much (a time in milliseconds, for example) than too little; GUIDs and short numbers, such as an order's, stay. A
 * text longer than `limit` is cut.
 */
export function scrubText(text, limit) {
  const clean = PATTERNS.reduce(
    (rest, { pattern, replacement }) => rest.replace(pattern, replacement),
    text.slice(0, MAX_SCANNED),
  );
  return bounded(text.length > MAX_SCANNED ? `${clean}…` : clean, limit);
}
/** A text of at most `limit` characters, with a sign if it was cut. */
export function bounded(text, limit) {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}
const REMOVED = '[removed]';
const PATTERNS = [
  { pattern: /\b(bearer|basic)\s+[\w+/=.~-]+/gi, replacement: (_match, scheme) => `${scheme} ${REMOVED}` },
  { pattern: /:\/\/[^\s/@]+@/g, replacement: () => `://${REMOVED}@` },
  { pattern: /[^\s@<>"'([\],;:=/]+@[^\s@<>"')[\],;:=/]+/g, replacement: () => REMOVED },
  {
    // One pass with GUIDs first, so that their groups of digits do not match as a phone number.
    pattern: new RegExp(
      [
        '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})',
        String.raw`(?<!\w)\d{4}(?:[ -]\d{4}){3}(?!\w)`,
        String.raw`(?<!\w)\d{3}[. ]?\d{3}[. ]?\d{3}[-. ]?\d{2}(?!\w)`,
        String.raw`(?<!\w)\d{2}[. ]?\d{3}[. ]?\d{3}[/ ]?\d{4}[- ]?\d{2}(?!\w)`,
        String.raw`(?<!\w)(?:\+?\d{1,3}[ .-]?)?\(?\d{2}\)?[ .-]?9?[ .-]?\d{4}[ .-]?\d{4}(?!\w)`,
        String.raw`(?<!\w)9?\d{4}[- ]\d{4}(?!\w)`,
        String.raw`(?<!\w)\d{10,}(?!\w)`,
      ].join('|'),
      'gi',
    ),
    replacement: (_match, guid) => guid ?? REMOVED,
  },
];
//# sourceMappingURL=scrub.js.map
