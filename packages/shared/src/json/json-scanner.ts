import { MAX_NESTING } from '../limits.ts';

/**
 * Scans the bytes of JSON without building values: strictly by RFC 8259, iterative, never throwing. Each function
 * receives the start of a construct and returns its end, or a negative code if it is invalid. The caller checks
 * UTF-8.
 *
 * Every notification is scanned, so positions are local variables and bytes of text are looked up in a table; this
 * is a third faster than a scanner with methods (measured with an order of 6 kB). Loops end at the end of the
 * bytes: a single read beyond it makes every later scan slow, since the compiler then uses its slow path for all
 * reads.
 */

export const NOT_JSON = -1;
export const TOO_DEEP = -2;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** 1 for a byte that is text in a string, or part of a character. */
const IS_TEXT = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH),
);
const ESCAPES: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));
const HEX_DIGITS = 4;

/** End of a value of any kind; `depth` containers are open around it. */
export function endOfValue(bytes: Uint8Array, start: number, depth: number): number {
  const outer: number[] = [];
  // Byte that closes the innermost container; 0 if none is open.
  let closer = 0;
  let isKey = false;
  let at = start;
  for (;;) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      // Most of a body is text, so `endOfString` is inlined here.
      at = endOfPlain(bytes, at + 1);
      at = bytes[at] === QUOTE ? at + 1 : endOfText(bytes, at);
      if (isKey) {
        at = endOfColon(bytes, at);
        if (at < 0) return at;
        isKey = false;
        continue;
      }
    } else if (isKey) {
      return NOT_JSON;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth + outer.length >= MAX_NESTING) return TOO_DEEP;
      outer.push(closer);
      closer = byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
      at = endOfSpace(bytes, at + 1);
      if (bytes[at] !== closer) {
        isKey = closer === CLOSE_OBJECT;
        continue;
      }
      at += 1;
      closer = outer.pop()!;
    } else {
      at = endOfScalar(bytes, at);
    }
    if (at < 0) return at;
    // After a value: closes the containers that end here, up to the next value.
    while (closer !== 0) {
      at = endOfSpace(bytes, at) + 1;
      const next = bytes[at - 1];
      if (next === COMMA) {
        at = endOfSpace(bytes, at);
        isKey = closer === CLOSE_OBJECT;
        break;
      }
      if (next !== closer) return NOT_JSON;
      closer = outer.pop()!;
    }
    if (closer === 0) return at;
  }
}

/** End of a colon with space on both sides; a negative `start` is returned unchanged. */
export function endOfColon(bytes: Uint8Array, start: number): number {
  if (start < 0) return start;
  const at = endOfSpace(bytes, start);
  return bytes[at] === COLON ? endOfSpace(bytes, at + 1) : NOT_JSON;
}

/** End of white space, which may be empty; never negative. */
export function endOfSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && isSpace(bytes[at]!)) at += 1;
  return at;
}

function isSpace(byte: number): boolean {
  return byte <= 0x20 && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}

/** End of a string with its quotes. */
export function endOfString(bytes: Uint8Array, start: number): number {
  return bytes[start] === QUOTE ? endOfText(bytes, start + 1) : NOT_JSON;
}

/** End of a string, from any position within it. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    at = endOfPlain(bytes, at);
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) return NOT_JSON;
    at = endOfEscape(bytes, at + 1);
    if (at < 0) return at;
  }
}

/** End of the plain characters of a string; examines four bytes at a time while all are plain. */
function endOfPlain(bytes: Uint8Array, start: number): number {
  const end = bytes.length;
  let at = start;
  while (
    at + 3 < end &&
    (IS_TEXT[bytes[at]!]! & IS_TEXT[bytes[at + 1]!]! & IS_TEXT[bytes[at + 2]!]! & IS_TEXT[bytes[at + 3]!]!) === 1
  ) {
    at += 4;
  }
  while (at < end && IS_TEXT[bytes[at]!] === 1) at += 1;
  return at;
}

/** End of the characters after a backslash. */
function endOfEscape(bytes: Uint8Array, start: number): number {
  const byte = bytes[start] ?? 0;
  if (byte !== 0x75) return ESCAPES.has(byte) ? start + 1 : NOT_JSON;
  const end = start + 1 + HEX_DIGITS;
  for (let at = start + 1; at < end; at += 1) if (!isHexDigit(bytes[at])) return NOT_JSON;
  return end;
}

function endOfScalar(bytes: Uint8Array, start: number): number {
  switch (bytes[start]) {
    case 0x74:
      return endOfWord(bytes, start, 'true');
    case 0x66:
      return endOfWord(bytes, start, 'false');
    case 0x6e:
      return endOfWord(bytes, start, 'null');
    default:
      return endOfNumber(bytes, start);
  }
}

function endOfWord(bytes: Uint8Array, start: number, word: string): number {
  for (let index = 0; index < word.length; index += 1) {
    if (bytes[start + index] !== word.charCodeAt(index)) return NOT_JSON;
  }
  return start + word.length;
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === 0x2d ? start + 1 : start;
  at = bytes[at] === 0x30 ? at + 1 : endOfDigits(bytes, at);
  if (at >= 0 && bytes[at] === 0x2e) at = endOfDigits(bytes, at + 1);
  if (at < 0 || (bytes[at] !== 0x65 && bytes[at] !== 0x45)) return at;
  const hasSign = bytes[at + 1] === 0x2b || bytes[at + 1] === 0x2d;
  return endOfDigits(bytes, hasSign ? at + 2 : at + 1);
}

/** End of at least one digit. */
function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at += 1;
  return at > start ? at : NOT_JSON;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}
