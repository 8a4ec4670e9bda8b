import { describe, expect, it } from '@jest/globals';

import { Slots } from './slots.ts';

describe('slots', () => {
  it('run at most as many tasks at once as there are, in order of arrival', async () => {
    const slots = new Slots(2);
    const begun: number[] = [];
    const gates = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
    const tasks = gates.map((gate, index) =>
      slots.run(async () => {
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

  it('are freed by a failed task', async () => {
    const slots = new Slots(1);
    await expect(slots.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await slots.run(async () => 'next')).toBe('next');
  });

  it('are taken up to their number, and then by the first in line', async () => {
    const slots = new Slots(2);
    expect([await slots.take(), await slots.take()]).toEqual([true, true]);
    expect(slots.isOneFree).toBe(false);
    const began: string[] = [];
    const turns = ['a', 'b', 'c'].map(async (name) => {
      if (await slots.take()) began.push(name);
    });
    for (const expected of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      slots.leave();
      await turns[expected.length - 1];
      expect(began).toEqual(expected);
      expect(slots.isOneFree).toBe(false);
    }
    slots.leave();
    expect(slots.isOneFree).toBe(true);
  });

  it('stay available when one in line gives up', async () => {
    const slots = new Slots(1);
    await slots.take();
    const wait = new AbortController();
    const [impatient, patient] = [slots.take(wait.signal), slots.take()];
    wait.abort();
    expect(await impatient).toBe(false);
    expect(await slots.take(wait.signal)).toBe(false);
    slots.leave();
    expect(await patient).toBe(true);
    slots.leave();
    expect(slots.isOneFree).toBe(true);
  });
});
