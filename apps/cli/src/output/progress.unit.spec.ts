import { describe, expect, it } from '@jest/globals';
import { progressLine } from './progress.ts';

describe('the progress of a long command', () => {
  it('is one line with a bar, the share and the counts', () => {
    expect(progressLine(50, 200)).toBe('[#######.......................] 25 % (50/200)');
    expect(progressLine(199, 200)).toBe('[#############################.] 99 % (199/200)');
  });

  it('is through where nothing is to be done, and never beyond', () => {
    expect(progressLine(0, 0)).toBe('[##############################] 100 % (0/0)');
    expect(progressLine(3, 2)).toContain('100 %');
  });
});
