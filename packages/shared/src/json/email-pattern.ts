/**
 * A regular expression of PostgreSQL for `"email": "<address>"` in the bytes of JSON text, whatever its white space and
 * its escapes, to be matched against `lower(encode(bytes, 'escape'))`: a backslash is doubled there, and each byte that
 * is no ASCII is an octal escape.
 */
export function emailPattern(email: string): string {
  return `"email"\\s*:\\s*"${Array.from(email.trim().toLowerCase(), characterPattern).join('')}"`;
}

function characterPattern(character: string): string {
  if (/[a-z0-9]/.test(character)) return character;
  const units = Array.from({ length: character.length }, (_each, at) => character.charCodeAt(at));
  const escaped = units.map((unit) => `\\\\\\\\u${unit.toString(16).padStart(4, '0')}`).join('');
  return `(?:${plainPattern(character)}|${escaped})`;
}

function plainPattern(character: string): string {
  if (character.charCodeAt(0) < 0x80) return `\\${character}`;
  return Array.from(Buffer.from(character, 'utf8'), (byte) => `\\\\${byte.toString(8).padStart(3, '0')}`).join('');
}
