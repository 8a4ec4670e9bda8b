/**
 * Reasons why a viewer may not show a PDF: no cross-reference that leads to its pages (`damaged`), or a password
 * (`encrypted`).
 */
export type PdfFlaw = 'damaged' | 'encrypted';

const TAIL_BYTES = 2_048;
const HEADER_BYTES = 1_024;
/** Most bytes that are read before a dictionary, and of one; dictionaries of real files have some hundred bytes. */
const HEAD_BYTES = 64;
const DICTIONARY_BYTES = 65_536;

/**
 * Reads the newest trailer of a PDF, in either form: `startxref` → `xref … trailer <<…>>`, or an object whose
 * dictionary has `/Type /XRef`. It must name the document's `/Root`; `/Encrypt` means that the content is encrypted
 * (ISO 32000, 7.5.5, 7.5.8, 7.6). No further reference is followed, unpacked or rendered, so the time is linear in
 * the content's length.
 */
export function pdfFlaw(content: Buffer): PdfFlaw | null {
  const trailer = newestTrailer(content);
  if (trailer?.has('Encrypt') === true) return 'encrypted';
  return trailer?.has('Root') === true ? null : 'damaged';
}

function newestTrailer(content: Buffer): Dictionary | null {
  const tail = content.subarray(-TAIL_BYTES).toString('latin1');
  const [, digits] = /^startxref\s+(\d{1,15})\s/.exec(tail.slice(Math.max(tail.lastIndexOf('startxref'), 0))) ?? [];
  if (digits === undefined) return null;
  // Offsets may be counted with or without the bytes that a sender put before the header.
  const header = Math.max(content.subarray(0, HEADER_BYTES).indexOf('%PDF-'), 0);
  return trailerAt(content, Number(digits) + header) ?? trailerAt(content, Number(digits));
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
