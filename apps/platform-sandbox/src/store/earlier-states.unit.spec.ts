import { expect, it } from '@jest/globals';
import { EarlierStates } from './earlier-states.ts';

it('a row is what it was at any time since it changed first', () => {
  const states = new EarlierStates<string, string>();
  states.end('a', 'first', 100);
  states.end('a', 'second', 200);
  expect([50, 99, 100, 199, 200].map((ms) => states.at('a', ms))).toEqual([
    'first',
    'first',
    'second',
    'second',
    undefined,
  ]);
  expect(states.at('b', 50)).toBeUndefined();
});

it('two changes at one time leave no state between', () => {
  const states = new EarlierStates<string, string>();
  states.end('a', 'first', 100);
  states.end('a', 'between', 100);
  expect([99, 100].map((ms) => states.at('a', ms))).toEqual(['first', undefined]);
});

it('few states are kept of a row, and of few rows: the newest', () => {
  const states = new EarlierStates<number, number>();
  for (let n = 1; n <= 1_000; n += 1) states.end(0, n, n);
  expect(states.at(0, 0)).toBe(951);
  for (let key = 1; key <= 5_000; key += 1) states.end(key, key, 2_000);
  expect(states.at(0, 0)).toBeUndefined();
  expect(states.at(1, 0)).toBe(1);
});

it('a state is forgotten ten minutes after its end, when the next one ends', () => {
  const states = new EarlierStates<string, string>();
  states.end('a', 'first', 100);
  states.end('a', 'second', 600_100);
  expect(states.at('a', 0)).toBe('second');
});
