/**
 * Reasons why a viewer may not show a PDF: no cross-reference that leads to its pages (`damaged`), a password
 * (`encrypted`), or bytes before or behind it that are not its own (`surrounded`), which most viewers ignore.
 */
export const PDF_FLAWS = ['damaged', 'encrypted', 'surrounded'] as const;
export type PdfFlaw = (typeof PDF_FLAWS)[number];

/** Most bytes that are read of an offset, before a dictionary, and of one; real ones have some hundred bytes. */
const HEAD_BYTES = 64;
const DICTIONARY_BYTES = 65_536;
/** Number of bytes at the end of a content in which the strictest viewers look for its end. */
const END_BYTES = 1_024;

const END = '%%EOF';
const BLANK = /^[\s\0]*$/;

/**
 * Judges a PDF by its ends: the header, which its media type shows to be near, and the newest trailer, to which the
 * last `startxref` leads, whatever follows its `%%EOF`. The trailer has one of two forms: `xref … trailer <<…>>`, or
 * an object whose dictionary has `/Type /XRef`. It must name the document's `/Root`; `/Encrypt` means that the content
 * is encrypted (ISO 32000, 7.5.5, 7.5.8, 7.6). No further reference is followed, unpacked or rendered, so the time is
 * linear in the content's length.
 *
 * @returns `cut-off` if it has no end, or objects follow it; null if it has no flaw
 */
export function pdfFlaw(content: Buffer): PdfFlaw | 'cut-off' | null {
  const end = endOf(content);
  if (end === null || hasObjects(content.subarray(end.at))) return 'cut-off';
  const start = Math.max(content.indexOf('%PDF-'), 0);
  // Offsets may be counted with or without the bytes that a sender put before the header.
  const trailer = trailerAt(content, end.reference + start) ?? trailerAt(content, end.reference);
  if (trailer?.has('Encrypt') === true) return 'encrypted';
  if (trailer?.has('Root') !== true) return 'damaged';
  return isSurrounded(content.subarray(0, start), content.subarray(end.at)) ? 'surrounded' : null;
}

/** End of the newest revision: the offset of its cross-reference, and where it ends. */
interface PdfEnd {
  readonly reference: number;
  readonly at: number;
}

/** A `startxref` without a number is no end if another one has it: it may belong to what follows the PDF. */
function endOf(content: Buffer): PdfEnd | null {
  const lastEnd = content.lastIndexOf(END);
  if (lastEnd < 0) return null;
  let without: number | null = null;
  for (let at = lastEnd; at > 0; at -= 1) {
    at = content.lastIndexOf('startxref', at);
    if (at < 0) break;
    const [, digits] = /^startxref\s+(\d{1,15})\s/.exec(content.toString('latin1', at, at + HEAD_BYTES)) ?? [];
    if (digits !== undefined) return { reference: Number(digits), at: content.indexOf(END, at) + END.length };
    without ??= at;
  }
  return without === null ? null : { reference: 0, at: content.indexOf(END, without) + END.length };
}

/** True if bytes hold a part of a PDF's body: the rest of its revision was cut off, or its newest end. */
function hasObjects(bytes: Buffer): boolean {
  if (bytes.includes('endobj') || bytes.includes('endstream')) return true;
  for (let at = bytes.indexOf(' obj'); at >= 0; at = bytes.indexOf(' obj', at + 1)) {
    if (/\d\s\d{1,5}$/.test(bytes.toString('latin1', Math.max(at - HEAD_BYTES, 0), at))) return true;
  }
  return false;
}

function isSurrounded(before: Buffer, behind: Buffer): boolean {
  const beginning = before.toString('latin1').replace(/^\xEF\xBB\xBF/, '');
  return !BLANK.test(beginning) || behind.length > END_BYTES || !BLANK.test(behind.toString('latin1'));
}

function trailerAt(content: Buffer, offset: number): Dictionary | null {
  const head = content.toString('latin1', offset, offset + HEAD_BYTES);
  const [space = ''] = /^\s*/.exec(head) ?? [];
  if (head.startsWith('xref', space.length)) {
    const at = content.indexOf('trailer', offset);
    return at < 0 ? null : readDictionary(content, at + 'trailer'.length);
  }
  const [object] = /^\s*\d{1,10}\s+\d{1,5}\s+obj/.exec(head) ?? [];
  const dictionary = object === undefined ? null : readDictionary(content, offset + object.length);
  return dictionary?.get('Type') === 'XRef' ? dictionary : null;
}

/** Keys of a dictionary; the value if it is a name, else null. */
type Dictionary = ReadonlyMap<string, string | null>;

/** Skips strings and comments, so that no text in them counts as a key. */
const TOKEN = /%[^\r\n]*|<<|>>|<[^<>]*>|\/[^\s()<>[\]{}/%]*|[()[\]{}]|[^\s()<>[\]{}/%]+|[<>]/g;

/** Null if no dictionary begins there, or if it does not end. */
function readDictionary(content: Buffer, at: number): Dictionary | null {
  const text = content.toString('latin1', at, at + DICTIONARY_BYTES).trimStart();
  if (!text.startsWith('<<')) return null;
  const found = new Map<string, string | null>();
  let depth = 0;
  let key: string | null = null;
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text)?.[0]; token !== undefined; token = TOKEN.exec(text)?.[0]) {
    if (token === '(') {
      TOKEN.lastIndex = endOfString(text, TOKEN.lastIndex);
      key = null;
    } else if (token === '<<' || token === '[') depth += 1;
    else if (token === '>>' || token === ']') depth -= 1;
    else if (depth === 1 && token.startsWith('/')) {
      const name = unescaped(token.slice(1));
      if (key === null) found.set((key = name), null);
      else {
        found.set(key, name);
        key = null;
      }
      continue;
    } else if (token.startsWith('%')) continue;
    if (depth === 0) return found;
    key = null;
  }
  return null;
}

/** Parentheses in a string are balanced or escaped. */
function endOfString(text: string, from: number): number {
  let depth = 1;
  let at = from;
  for (; at < text.length && depth > 0; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
  }
  return at;
}

/** A name may write a character as `#` and two hexadecimal digits. */
function unescaped(name: string): string {
  return name.replaceAll(/#([0-9a-f]{2})/gi, (_whole, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
