import { describe, expect, it } from '@jest/globals';
import { CallSlots } from './call-slots.ts';

const LONG_MS = 60_000;

describe('call slots', () => {
  it('are taken up to their number, and then by the longest waiting call', async () => {
    const slots = new CallSlots(2);
    expect([await slots.take(0), await slots.take(0)]).toEqual([true, true]);
    expect(slots.isOneFree).toBe(false);
    const began: string[] = [];
    const turns = ['a', 'b', 'c'].map(async (name) => {
      if (await slots.take(LONG_MS)) began.push(name);
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

  it('stay available when a waiting call gives up', async () => {
    const slots = new CallSlots(1);
    await slots.take(0);
    const [impatient, patient] = [slots.take(0), slots.take(LONG_MS)];
    expect(await impatient).toBe(false);
    slots.leave();
    expect(await patient).toBe(true);
    slots.leave();
    expect(slots.isOneFree).toBe(true);
  });
});
