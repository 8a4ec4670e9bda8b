// The output of a real run in the README, and the part of it that is equal in every run.

const START = '<!-- output of npm run demo, compared by demo/loop.long.spec.ts -->';
const END = '<!-- end of output -->';
const FENCE = '```';

/** Lines between the marks. Throws if the README has no marks. */
export function outputIn(readme: string): string[] {
  const start = readme.indexOf(START);
  const end = readme.indexOf(END);
  if (start < 0 || end < start) throw new Error('README.md has lost the marks around the output of npm run demo');
  const block = readme.slice(start + START.length, end).trim();
  return block.slice(FENCE.length, -FENCE.length).trim().split('\n');
}

/**
 * Steps without the values that differ between runs: durations, addresses, order numbers, and whether the
 * event or the reading came first as evidence.
 */
export function sameForEveryRun(lines: readonly string[]): string[] {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/ (listens|is used) on /.test(line))
    .map((line) =>
      line
        .replace(/ +[\d.]+ m?s$/, '')
        .replaceAll(/order \d+/g, 'order N')
        .replace(/evidence (event|read-back)/, 'evidence E'),
    );
}
