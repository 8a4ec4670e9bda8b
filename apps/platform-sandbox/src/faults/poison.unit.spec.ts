import { expect, it } from '@jest/globals';
import { array, assert, constantFrom, double, jsonValue, property, string } from 'fast-check';
import { parseExact, type Json } from '../values/exact-json.ts';
import { leavesOf, poisoned, POISONS } from './poison.ts';

const share = double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

function differences(one: Json, other: Json): number {
  const [before, after] = [texts(one), texts(other)];
  return [...before].filter(([path, text]) => after.get(path) !== text).length;
}

/** Each leaf by its path. */
function texts(value: Json): Map<string, string> {
  return new Map(leavesOf(value).map((path) => [JSON.stringify(path), JSON.stringify(path.reduce(child, value))]));
}

function child(value: Json, key: string): Json {
  return (value as Record<string, Json>)[key] as Json;
}

it('poison changes exactly one leaf of any value, and what is sent is JSON', () => {
  assert(
    property(
      jsonValue(),
      constantFrom(...POISONS, undefined),
      share,
      share,
      (whole, poison, leafShare, poisonShare) => {
        const value = parseExact(JSON.stringify(whole));
        const spoilt = poisoned(value, { path: undefined, poison, leafShare, poisonShare });
        expect(differences(value, spoilt)).toBe(1);
        expect(() => JSON.parse(JSON.stringify(spoilt)) as unknown).not.toThrow();
      },
    ),
  );
});

it('poison reaches every leaf', () => {
  const value = { a: [{ b: 'x', c: null }, 7], d: { e: true }, f: [] };
  const changed = Array.from({ length: 5 }, (_, n) =>
    JSON.stringify(poisoned(value, { path: undefined, poison: 'nul', leafShare: n / 5, poisonShare: 0 })),
  );
  expect(new Set(changed).size).toBe(5);
});

it('a path that names nothing changes nothing', () => {
  assert(
    property(array(string({ minLength: 1 }), { minLength: 1 }), (keys) => {
      const value = { known: 1 };
      const path = ['unknown', ...keys].join('.');
      expect(poisoned(value, { path, poison: 'nul', leafShare: 0, poisonShare: 0 })).toEqual(value);
    }),
  );
});
