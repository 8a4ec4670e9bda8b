/** Weakness of a token that stays registered forever. */
export type TokenWeakness = 'too-short' | 'too-regular' | 'guessable-words';

/** 128 random bits are 22 characters of base64 or 32 of hex. */
const MIN_LENGTH = 32;
/** Minimum of Shannon's entropy of all its characters, in bits; 32 random hex digits have about 118. */
const MIN_BITS = 100;
const WORDS = /webhook|token|secret|segredo|senha|password|gondola|gôndola|change|example|exemplo|qwert|12345|abcde/i;
/** Random text may contain shorter tenant names by chance. */
const MIN_NAME_LENGTH = 4;

/**
 * Weakness of a webhook token that an attacker could guess; null: it is strong. The webhook's token can never be
 * changed (rule 37), and it alone distinguishes the platform from an attacker, so the rules are stricter than those
 * of the tenants file for tokens that can be changed. Pure.
 */
export function tokenWeakness(token: string, tenant: string): TokenWeakness | null {
  if (token.length < MIN_LENGTH) return 'too-short';
  const lower = token.toLowerCase();
  const hasName = tenant.length >= MIN_NAME_LENGTH && lower.includes(tenant.toLowerCase());
  if (hasName || WORDS.test(token)) return 'guessable-words';
  if (isRepetition(lower) || bitsOf(token) < MIN_BITS) return 'too-regular';
  return null;
}

/** True if the text repeats one piece, such as `abcabcabc`. */
function isRepetition(text: string): boolean {
  return `${text}${text}`.indexOf(text, 1) < text.length;
}

/** Shannon's entropy of all its characters together, in bits. */
function bitsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const perCharacter = [...counts.values()].reduce((sum, count) => {
    const share = count / text.length;
    return sum - share * Math.log2(share);
  }, 0);
  return perCharacter * text.length;
}
