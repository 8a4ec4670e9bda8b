import { createHmac, timingSafeEqual } from 'node:crypto';

// A mark that a browser keeps once an operator has signed in with it, so that others' attempts under the same name or
// from the same address do not slow this browser down. It opens nothing, and ends with the password: the key is its
// hash, which only the operators' file has.

/** A browser keeps the marks of its last operators. */
const MOST_OPERATORS = 5;
const MARK = /^([\w-]{16,64})\.([\w-]{43})$/;

/** Id of the browser if it has signed in with this name and password; null if not. */
export function browserKnownTo(marks: string | undefined, name: string, passwordHash: string): string | null {
  for (const mark of marksIn(marks)) {
    const [, id = '', shown = ''] = MARK.exec(mark) ?? [];
    if (timingSafeEqual(Buffer.from(shown, 'base64url'), macOf(id, name, passwordHash))) return id;
  }
  return null;
}

/**
 * The browser's marks after an operator has signed in.
 *
 * @param id of the browser, random: at least 16 characters of base64url
 */
export function marksAfter(marks: string | undefined, { id, name, passwordHash }: NewMark): string {
  const others = marksIn(marks).filter((mark) => browserKnownTo(mark, name, passwordHash) === null);
  const own = `${id}.${macOf(id, name, passwordHash).toString('base64url')}`;
  return [own, ...others].slice(0, MOST_OPERATORS).join('~');
}

interface NewMark {
  readonly id: string;
  readonly name: string;
  readonly passwordHash: string;
}

function marksIn(marks: string | undefined): string[] {
  return (marks ?? '').split('~', MOST_OPERATORS).filter((mark) => MARK.test(mark));
}

function macOf(id: string, name: string, passwordHash: string): Buffer {
  return createHmac('sha256', passwordHash).update(`browser\0${id}\0${name}`).digest();
}
