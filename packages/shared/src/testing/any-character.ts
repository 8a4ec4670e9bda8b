import * as fc from 'fast-check';

const SURROGATES_START = 0xd800;
const SURROGATES = 0x800;
const CODE_POINTS = 0x110000 - SURROGATES;

/**
 * Any character of Unicode, as `unit` of `fc.string`. It equals fast-check's unit `binary`, which takes a second and
 * 190 MB in each process to list all characters.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: CODE_POINTS - 1 }).map(characterAt, indexOf);

function characterAt(index: number): string {
  return String.fromCodePoint(index < SURROGATES_START ? index : index + SURROGATES);
}

/** Lets fast-check mix names such as `__proto__` into the texts, and shrink them. Throws for other values. */
function indexOf(value: unknown): number {
  const codePoint = typeof value === 'string' ? value.codePointAt(0) : undefined;
  const index = codePoint === undefined || codePoint < SURROGATES_START ? codePoint : codePoint - SURROGATES;
  if (index === undefined || characterAt(index) !== value) throw new TypeError('Not one character');
  return index;
}
