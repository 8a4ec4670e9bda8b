import { MAX_NESTING } from './json-digits.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

const ESCAPES: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));
const BOM = [0xef, 0xbb, 0xbf];

/**
 * Walks over the bytes of JSON without building values: strict as RFC 8259, iterative, never throwing. Each `skip…` and `take` answers
 * whether the thing was there and stands behind it; after a false, `at` is where reading ended. UTF-8 itself is the caller's to check.
 */
export class JsonScanner {
  at: number;
  isTooDeep = false;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.at = BOM.every((byte, index) => bytes[index] === byte) ? BOM.length : 0;
  }

  /** One value of any kind; `depth` containers are open around it. */
  skipValue(depth: number): boolean {
    const closers: number[] = [];
    for (;;) {
      const byte = this.#bytes[this.at];
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (depth + closers.length >= MAX_NESTING) {
          this.isTooDeep = true;
          return false;
        }
        this.at += 1;
        this.skipSpace();
        const closer = byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
        if (!this.take(closer)) {
          closers.push(closer);
          if (closer === CLOSE_OBJECT && !this.#skipKey()) return false;
          continue;
        }
      } else if (!this.#skipScalar(byte)) {
        return false;
      }
      if (!this.#closeAll(closers)) return false;
      if (closers.length === 0) return true;
    }
  }

  /** After a value: closes what ends here and stands at the next value, or has closed everything. */
  #closeAll(closers: number[]): boolean {
    for (let closer = closers.at(-1); closer !== undefined; closer = closers.at(-1)) {
      this.skipSpace();
      if (this.take(COMMA)) {
        this.skipSpace();
        return closer === CLOSE_ARRAY || this.#skipKey();
      }
      if (!this.take(closer)) return false;
      closers.pop();
    }
    return true;
  }

  #skipKey(): boolean {
    return this.skipString() && this.skipColon();
  }

  skipColon(): boolean {
    this.skipSpace();
    if (!this.take(COLON)) return false;
    this.skipSpace();
    return true;
  }

  #skipScalar(byte: number | undefined): boolean {
    switch (byte) {
      case QUOTE:
        return this.skipString();
      case 0x74:
        return this.#skipWord('true');
      case 0x66:
        return this.#skipWord('false');
      case 0x6e:
        return this.#skipWord('null');
      default:
        return this.#skipNumber();
    }
  }

  #skipWord(word: string): boolean {
    for (let index = 0; index < word.length; index += 1) {
      if (this.#bytes[this.at] !== word.charCodeAt(index)) return false;
      this.at += 1;
    }
    return true;
  }

  #skipNumber(): boolean {
    this.take(0x2d);
    if (!this.take(0x30) && !this.#skipDigits()) return false;
    if (this.take(0x2e) && !this.#skipDigits()) return false;
    if (!this.take(0x65) && !this.take(0x45)) return true;
    if (!this.take(0x2b)) this.take(0x2d);
    return this.#skipDigits();
  }

  #skipDigits(): boolean {
    const start = this.at;
    while (isDigit(this.#bytes[this.at])) this.at += 1;
    return this.at > start;
  }

  skipString(): boolean {
    if (!this.take(QUOTE)) return false;
    // Most of a body is text: nothing but local variables on the way through it.
    const bytes = this.#bytes;
    for (;;) {
      let at = this.at;
      let byte = bytes[at];
      while (byte !== undefined && byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) {
        at += 1;
        byte = bytes[at];
      }
      this.at = at;
      if (byte === undefined || byte < 0x20) return false;
      this.at += 1;
      if (byte === QUOTE) return true;
      if (!this.#skipEscape()) return false;
    }
  }

  #skipEscape(): boolean {
    const byte = this.#bytes[this.at] ?? 0;
    if (byte !== 0x75) {
      if (!ESCAPES.has(byte)) return false;
      this.at += 1;
      return true;
    }
    this.at += 1;
    for (const end = this.at + 4; this.at < end; this.at += 1) {
      if (!isHexDigit(this.#bytes[this.at])) return false;
    }
    return true;
  }

  skipSpace(): void {
    for (;;) {
      const byte = this.#bytes[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.at += 1;
    }
  }

  /** Whether this byte is next, or, asked for undefined, the end. */
  isAt(byte: number | undefined): boolean {
    return this.#bytes[this.at] === byte;
  }

  take(byte: number): boolean {
    if (this.#bytes[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}
