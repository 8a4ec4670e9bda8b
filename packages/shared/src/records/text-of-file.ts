export type TextReading =
  | { readonly kind: 'text'; readonly text: string; readonly encoding: 'utf-8' | 'windows-1252' }
  | WrongByte;

/** The first byte that is not UTF-8, or not of the encoding that the table seems to have. */
export interface WrongByte {
  readonly kind: 'wrong-byte';
  readonly line: number;
  /** Two hexadecimal digits. */
  readonly byte: string;
}

const REPLACEMENT = '\uFFFD';
/** The replacement character in UTF-8. */
const REPLACEMENT_BYTES: readonly number[] = [0xef, 0xbf, 0xbd];
/** Bytes without a character in Windows-1252, and the zeros of UTF-16. */
const UNDEFINED_BYTES: readonly number[] = [0x00, 0x81, 0x8d, 0x8f, 0x90, 0x9d];
const NEWLINE = 0x0a;
/**
 * Characters of Windows-1252 where no text has them, but code page 850 the accents of Portuguese: `caf‚` is `café`,
 * `ma‡Æ` is `maçã`, `A€éCAR` is `AÇÚCAR`.
 */
const OF_CODE_PAGE_850 = /(?<=\p{L})[‚ƒ„ˆ¡¢£]|(?<=\p{L})[€†‡¤¥¦µ¶](?=\p{L})|(?<=\p{Ll})Æ/u;

/**
 * Text of a file. UTF-8 always; a table may be Windows-1252, as Excel writes it in Brazil. One with characters of
 * UTF-8 and other bytes as well is damaged, and not read, because either reading would invent characters. Nor is one
 * that can only be of the code page of an old program.
 */
export function textOfFile(content: Uint8Array, { isTable }: { readonly isTable: boolean }): TextReading {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
  const at = firstWrongByte(content, text);
  if (at === null) return { kind: 'text', text, encoding: 'utf-8' };
  const isMixed = /[^\p{ASCII}\uFFFD]/u.test(text);
  if (!isTable || isMixed || content.some((byte) => UNDEFINED_BYTES.includes(byte))) return wrongByte(content, at);
  const windows = new TextDecoder('windows-1252').decode(content);
  const foreign = OF_CODE_PAGE_850.exec(windows);
  // One byte is one character there.
  if (foreign !== null) return wrongByte(content, foreign.index);
  return { kind: 'text', text: windows, encoding: 'windows-1252' };
}

function wrongByte(content: Uint8Array, at: number): WrongByte {
  const line = content.subarray(0, at).filter((byte) => byte === NEWLINE).length + 1;
  return { kind: 'wrong-byte', line, byte: (content[at] ?? 0).toString(16).padStart(2, '0').toUpperCase() };
}

/** Its place in the content; null: all of it is UTF-8, which may itself contain replacement characters. */
function firstWrongByte(content: Uint8Array, text: string): number | null {
  const encoder = new TextEncoder();
  let offset = 0;
  let from = 0;
  for (let found = text.indexOf(REPLACEMENT); found !== -1; found = text.indexOf(REPLACEMENT, from)) {
    offset += encoder.encode(text.slice(from, found)).length;
    const at = offset;
    if (!REPLACEMENT_BYTES.every((byte, index) => content[at + index] === byte)) return offset;
    offset += REPLACEMENT_BYTES.length;
    from = found + 1;
  }
  return null;
}
