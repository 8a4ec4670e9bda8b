import { describe, expect, it } from '@jest/globals';

import { Places } from './places.ts';

describe('Places', () => {
  it('runs at most as many tasks at once as it has places, in order of arrival', async () => {
    const places = new Places(2);
    const begun: number[] = [];
    const gates = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
    const tasks = gates.map((gate, index) =>
      places.run(async () => {
        begun.push(index);
        return gate.promise;
      }),
    );
    expect(begun).toEqual([0, 1]);
    for (const [index, gate] of gates.entries()) {
      gate.resolve(index);
      expect(await tasks[index]).toBe(index);
      expect(begun.length).toBeLessThanOrEqual(index + 3);
    }
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it('frees the place of a failed task', async () => {
    const places = new Places(1);
    await expect(places.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await places.run(async () => 'next')).toBe('next');
  });
});
