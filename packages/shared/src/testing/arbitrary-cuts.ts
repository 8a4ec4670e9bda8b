import * as fc from 'fast-check';

export type Cut = readonly [string, string];

/**
 * One text cut in two at two places, the separator at the cut left out: the pairs that a careless joining with that
 * separator would confuse. Two independent random pairs would hardly ever meet.
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

/** Whether two cuts are the same pair. */
export function isSameCut([one, other]: readonly [Cut, Cut]): boolean {
  return one[0] === other[0] && one[1] === other[1];
}
