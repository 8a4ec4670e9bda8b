import { MAX_NESTING } from '../limits.ts';

/**
 * Walks over the bytes of JSON without building values: strict as RFC 8259, iterative, never throwing. Each function is
 * given where the thing begins and answers where it ends, or, below zero, why it is none. UTF-8 itself is the caller's
 * to check.
 *
 * Every notification is walked through, so positions are local variables and a byte of text is looked up in a table:
 * that took a third off a scanner with methods for the same (measured with an order of 6 kB). Loops end where the bytes
 * end: one read beyond that makes every later scan slow, since the compiler then reads all bytes in the careful way.
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

/** 1 for what stands in a string as itself, or as a part of a character. */
const IS_TEXT = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH),
);
const ESCAPES: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));
const HEX_DIGITS = 4;

/** One value of any kind; `depth` containers are open around it. */
export function endOfValue(bytes: Uint8Array, start: number, depth: number): number {
  const outer: number[] = [];
  // What closes the innermost container; 0 where none is open.
  let closer = 0;
  let isKey = false;
  let at = start;
  for (;;) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      // Most of a body is text: this is `endOfString`, written out.
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
    // After a value: close what ends here, up to the next one.
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

/** A colon, and space on both sides of it; `start` is handed on if it is below zero. */
export function endOfColon(bytes: Uint8Array, start: number): number {
  if (start < 0) return start;
  const at = endOfSpace(bytes, start);
  return bytes[at] === COLON ? endOfSpace(bytes, at + 1) : NOT_JSON;
}

/** Space, or none: never below zero. */
export function endOfSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && isSpace(bytes[at]!)) at += 1;
  return at;
}

function isSpace(byte: number): boolean {
  return byte <= 0x20 && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}

/** A string with its quotes. */
export function endOfString(bytes: Uint8Array, start: number): number {
  return bytes[start] === QUOTE ? endOfText(bytes, start + 1) : NOT_JSON;
}

/** The rest of a string, from anywhere in it. */
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

/** What stands for itself in a string: four bytes at a time while they do. */
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

/** What follows a backslash. */
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

/** One digit at least. */
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
