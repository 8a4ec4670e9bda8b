import { describe, expect, it } from '@jest/globals';
import { pastOperations } from './record-attempts.ts';

describe('pastOperations', () => {
  it('remembers the newest twenty operations, newest last', () => {
    const before = Array.from({ length: 19 }, (_, n) => `operation ${n}`);
    expect(pastOperations(before, ['a'])).toEqual([...before, 'a']);
    expect(pastOperations(before, ['a', 'b', 'c'])).toEqual([...before.slice(2), 'a', 'b', 'c']);
  });
});
