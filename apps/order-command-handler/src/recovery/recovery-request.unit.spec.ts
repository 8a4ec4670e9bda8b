import { describe, expect, it } from '@jest/globals';
import { rangeOf } from './recovery-progress.ts';

describe('what an operator asks to be recovered', () => {
  it('is a range of order numbers, as integers or digits', () => {
    expect(rangeOf({ from: 1, to: '100000' })).toEqual({ ok: true, range: { from: 1, to: 100_000 } });
    expect(rangeOf({ from: 7, to: 7 })).toMatchObject({ ok: true });
  });

  it.each([
    [{ from: 1 }, /order numbers/],
    [{ from: 1.5, to: 3 }, /order numbers/],
    [{ from: 0, to: 3 }, /order numbers/],
    [{ from: 3, to: 2 }, /not above/],
    [{ from: 1, to: 100_001 }, /100000 numbers at most/],
  ])('is refused with a sentence: %j', (body, sentence) => {
    expect(rangeOf(body)).toMatchObject({ ok: false, problem: expect.stringMatching(sentence) });
  });
});
