import { describe, expect, it } from '@jest/globals';
import { sendGroups } from './send-groups.ts';

const sentBefore = (times: number, count: number) =>
  Array.from({ length: count }, () => ({ progress: { sendings: Array<number>(times).fill(0) } }));

describe('records that are posted together', () => {
  it('are all those that were never sent', () => {
    expect(sendGroups(sentBefore(0, 100)).map((group) => group.length)).toEqual([100]);
    expect(sendGroups([])).toEqual([]);
  });

  it('get fewer with each sending that led to nothing, and stand alone in the end (guarantee 5)', () => {
    const groups = sendGroups([...sentBefore(1, 15), ...sentBefore(0, 3), ...sentBefore(2, 2)]);
    expect(groups.map((group) => group.length).toSorted((a, b) => b - a)).toEqual([10, 5, 3, 1, 1]);
  });
});
