import { describe, expect, it } from '@jest/globals';
import { LiveProgress, progressLine } from './live-progress.ts';

const TOTAL = 10_000_000;

function shown(width: number | null, label?: string): string[] {
  const written: string[] = [];
  const progress = new LiveProgress((text) => written.push(text), width);
  for (let done = 0; done <= TOTAL; done += TOTAL / 1_000)
    progress.update({ done, total: TOTAL, ...(label && { label }) });
  progress.end();
  return written;
}

describe('LiveProgress', () => {
  it('redraws a bar on a terminal if it changes, and removes it in the end', () => {
    const written = shown(80, 'a\u001B[2J.pdf');
    expect(new Set(written.slice(0, -1)).size).toBe(written.length - 1);
    expect(written.length).toBeLessThan(150);
    expect(written).toContain('\r\u001B[K[###############...............] 50 % a\uFFFD[2J.pdf');
    expect(written.at(-1)).toBe('\r\u001B[K');
  });

  it('prints a plain line for each quarter of a file elsewhere, and none for records', () => {
    const quarters = ['25', '50', '75', '100'];
    expect(shown(null, 'a\u001B[2J.pdf')).toEqual(quarters.map((part) => `a\uFFFD[2J.pdf: ${part} %\n`));
    expect(shown(null)).toEqual([]);
  });

  it('is no wider than the terminal', () => {
    const longest = Math.max(...shown(40, 'x'.repeat(100)).map((text) => text.replace('\r\u001B[K', '').length));
    expect(longest).toBe(39);
  });
});

describe('the progress of a long command', () => {
  it('is one line with a bar, the share and the counts', () => {
    expect(progressLine(50, 200)).toBe('[#######.......................] 25 % (50/200)');
    expect(progressLine(199, 200)).toBe('[#############################.] 99 % (199/200)');
  });

  it('is 100 % if there is nothing to do, and never more', () => {
    expect(progressLine(0, 0)).toBe('[##############################] 100 % (0/0)');
    expect(progressLine(3, 2)).toContain('100 %');
  });
});
