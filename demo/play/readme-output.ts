// Handles the part of the README that is pasted from a real run, and the part of it that is equal in every run.

const START = '<!-- output of npm run demo: pasted by npm run readme, compared by demo/loop.long.spec.ts -->';
const END = '<!-- end of output -->';
const FENCE = '```';

/** Lines between the marks. Throws if the README has no marks. */
export function outputIn(readme: string): string[] {
  const { before, after } = partsOf(readme);
  const block = readme.slice(before.length, readme.length - after.length).trim();
  return block.slice(FENCE.length, -FENCE.length).trim().split('\n');
}

/** The README with the lines of a run between the marks. */
export function withOutput(readme: string, lines: readonly string[]): string {
  const { before, after } = partsOf(readme);
  const text = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  return `${before}\n\n${FENCE}\n${text}\n${FENCE}\n\n${after}`;
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

function partsOf(readme: string): { before: string; after: string } {
  const start = readme.indexOf(START);
  const end = readme.indexOf(END);
  if (start < 0 || end < start) throw new Error('README.md has lost the marks around the output of npm run demo');
  return { before: readme.slice(0, start + START.length), after: readme.slice(end) };
}
