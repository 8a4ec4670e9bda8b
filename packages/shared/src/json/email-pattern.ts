/**
 * A PostgreSQL regular expression for `"email": "<address>"` in the bytes of JSON text, with any white space and
 * escapes. It is matched against `lower(encode(bytes, 'escape'))`, which doubles a backslash and writes each
 * non-ASCII byte as an octal escape.
 */
export function emailPattern(email: string): string {
  return `"email"\\s*:\\s*"${Array.from(normalEmail(email), characterPattern).join('')}"`;
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

/**
 * E-mails under the key `email` in JSON text, even if the text is invalid, in the form of `normalEmail`: each once,
 * at most a hundred.
 */
export function emailsIn(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const found = new Set<string>();
  for (const [, quoted] of text.matchAll(/"email"\s*:\s*"((?:[^"\\]|\\.){1,1000})"/gi)) {
    const email = textOf(quoted ?? '');
    if (email !== null) found.add(normalEmail(email));
    if (found.size === MOST_EMAILS) break;
  }
  return [...found];
}

/** The same form for all spellings of an e-mail. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

const MOST_EMAILS = 100;

function textOf(quoted: string): string | null {
  try {
    return JSON.parse(`"${quoted}"`) as string;
  } catch {
    return null;
  }
}
