import type { NumberRange } from './recovery-progress.ts';

/** The range that an operator asks for, or what is wrong with it. */
export type RangeReading =
  | { readonly ok: true; readonly range: NumberRange }
  | { readonly ok: false; readonly problem: string };

/** Numbers of one run, at most; at one reading in a second they take more than a day. */
const MOST_NUMBERS = 100_000;

/** Reads a range of order numbers, given as integers or digits. */
export function rangeOf({ from, to }: { readonly from?: unknown; readonly to?: unknown }): RangeReading {
  const [first, last] = [wholeNumber(from), wholeNumber(to)];
  if (first === null || last === null) return wrong('from and to are order numbers');
  if (last < first) return wrong('from is not above to');
  if (last - first >= MOST_NUMBERS) return wrong(`A run takes ${MOST_NUMBERS} numbers at most`);
  return { ok: true, range: { from: first, to: last } };
}

function wrong(problem: string): RangeReading {
  return { ok: false, problem };
}

function wholeNumber(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}
