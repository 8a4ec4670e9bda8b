import * as fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

/** JSON texts in any valid form: numbers in every form, escapes, white space, any nesting. */

/** A number in every form that JSON has. */
export const jsonNumberText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,25}$/)),
    fc.option(fc.stringMatching(/^\d{1,12}$/)),
    fc.option(fc.stringMatching(/^[eE][+-]?\d{1,3}$/)),
  )
  .map(
    ([sign, whole, fraction, exponent]) => sign + whole + (fraction === null ? '' : `.${fraction}`) + (exponent ?? ''),
  );

/** A string in which some characters are escaped unnecessarily. */
export const jsonStringText: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }), fc.boolean()), { maxLength: 6 })
  .map((characters) => `"${characters.map(([character, escaped]) => written(character, escaped)).join('')}"`);

const noSpace = fc.constant('');
const anySpace = fc.stringMatching(/^[ \t\r\n]{0,3}$/);

/**
 * A value; `spaced` inserts white space wherever JSON allows it. Keys start with a letter, since JavaScript
 * preserves the order of such keys.
 */
export function jsonText(options: { readonly spaced: boolean }): fc.Arbitrary<string> {
  const space = options.spaced ? anySpace : noSpace;
  const text = options.spaced ? jsonStringText : fc.string({ unit: 'grapheme' }).map((value) => JSON.stringify(value));
  const { value } = fc.letrec<{ value: string }>((tie) => {
    const inner = fc.tuple(space, tie('value'), space).map((parts) => parts.join(''));
    const member = fc.tuple(space, fc.string({ maxLength: 4 }), space, inner);
    return {
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        jsonNumberText,
        fc.constantFrom('null', 'true', 'false'),
        text,
        fc.tuple(fc.array(inner, { maxLength: 4 }), space).map(([items, only]) => `[${items.join(',') || only}]`),
        fc
          .tuple(fc.uniqueArray(member, { maxLength: 4, selector: ([, key]) => key }), space)
          .map(([members, only]) => `{${members.map(memberText).join(',') || only}}`),
      ),
    };
  });
  return value;
}

function memberText([before, key, after, value]: [string, string, string, string]): string {
  return `${before}${JSON.stringify(`k${key}`)}${after}:${value}`;
}

function written(character: string, escaped: boolean): string {
  if (!escaped) return JSON.stringify(character).slice(1, -1);
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

export type Cut = readonly [string, string];

/**
 * Two ways to cut one text at a separator, which is left out: pairs that become equal if they are joined carelessly
 * with that separator. Two independent random pairs would hardly ever do so.
 */
export function twoCuts(separator: string, units: readonly string[]): fc.Arbitrary<readonly [Cut, Cut]> {
  const pieces = fc.array(fc.constantFrom(...units), { minLength: 3, maxLength: 7 });
  return fc.tuple(pieces, fc.nat(), fc.nat()).map(([parts, first, second]) => {
    const cut = (at: number): Cut => {
      const place = 1 + (at % (parts.length - 1));
      return [parts.slice(0, place).join(separator), parts.slice(place).join(separator)];
    };
    return [cut(first), cut(second)];
  });
}

/** True if two cuts are the same pair. */
export function isSameCut([one, other]: readonly [Cut, Cut]): boolean {
  return one[0] === other[0] && one[1] === other[1];
}
