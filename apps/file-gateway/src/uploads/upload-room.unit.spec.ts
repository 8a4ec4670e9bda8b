import { describe, expect, it } from '@jest/globals';
import { hasRoom } from './upload-room.ts';

describe('the room for an upload', () => {
  it.each<[string, { taken: number; more: number; free: number | null }, boolean]>([
    ['up to the last byte of the quota', { taken: 60, more: 40, free: null }, true],
    ['not beyond the quota', { taken: 60, more: 41, free: null }, false],
    ['not beyond the quota of a large disk', { taken: 60, more: 41, free: 10_000 }, false],
    ['up to half of what is free without the uploads', { taken: 10, more: 10, free: 30 }, true],
    ['not beyond half of what is free without the uploads', { taken: 10, more: 11, free: 30 }, false],
    ['not where more is stored than is free', { taken: 50, more: 1, free: 40 }, false],
  ])('is %s (rule 31)', (_what, { taken, more, free }, expected) => {
    expect(hasRoom({ takenBytes: taken, moreBytes: more }, { quotaBytes: 100, freeBytes: free })).toBe(expected);
  });
});
