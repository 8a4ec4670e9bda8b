import { describe, expect, it } from '@jest/globals';
import { mayFindCycle, undecidedMoves } from './await-others.ts';

const PARENTS = new Map([
  ['a', null],
  ['b', 'a'],
  ['c', 'b'],
]);

function move(identity: string, parent: string | null, progress: string | null = null) {
  return { identity, value: Buffer.from(JSON.stringify({ parentExternalReference: parent })), progress };
}

describe('open moves of categories', () => {
  it('are undecided that lead to a cycle now, or by what the moves before them leave (rule 24)', () => {
    const free = move('b', null);
    const cyclic = move('a', 'c');
    expect(undecidedMoves([free], PARENTS)).toEqual([]);
    expect(undecidedMoves([cyclic], PARENTS)).toEqual([cyclic]);
    // The move before it may not have been carried out yet.
    expect(undecidedMoves([free, cyclic], PARENTS)).toEqual([cyclic]);
    const later = move('b', 'd');
    expect(undecidedMoves([move('d', 'c'), later], PARENTS)).toEqual([later]);
  });

  it('are decided once they were sent (rule 24)', () => {
    const sent = [{ externalReference: 'a', parent: 'c', record: {} }];
    const progress = JSON.stringify({
      route: 'post',
      body: {},
      sent,
      attempts: [],
      blocked: null,
      sourceVersion: null,
    });
    expect(undecidedMoves([move('a', 'c', progress)], PARENTS)).toEqual([]);
  });

  it('may find a cycle while earlier ones are carried out, even if these leave none (rule 24)', () => {
    const own = new Map([['c', 'b']]);
    const parents = new Map([
      ['a', null],
      ['b', 'a'],
      ['c', null],
    ]);
    expect(mayFindCycle(own, parents, [])).toBe(false);
    expect(mayFindCycle(own, parents, [['a', 'd']])).toBe(false);
    // The first of them may be carried out when the move is, and the second not yet.
    const earlier = [
      ['a', 'c'],
      ['a', null],
    ] as const;
    expect(mayFindCycle(own, parents, earlier)).toBe(true);
  });
});
