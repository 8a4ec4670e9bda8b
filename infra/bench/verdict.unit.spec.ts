import { describe, expect, it } from '@jest/globals';
import { holds, lineOf } from './verdict.ts';

const verdict = { what: 'ours : bare', measured: 0.57, target: 0.6, atLeast: 0.55 };

describe('a verdict', () => {
  it('holds down to what is checked, and not only down to the target', () => {
    expect(holds(verdict)).toBe(true);
    expect(holds({ ...verdict, measured: 0.54 })).toBe(false);
  });

  it('does not hold where nothing was measured', () => {
    expect(holds({ ...verdict, measured: Number.NaN })).toBe(false);
  });

  it('that is only shown breaks nothing', () => {
    expect(holds({ ...verdict, measured: 0, atLeast: null })).toBe(true);
  });

  it('says what was measured, wanted and checked', () => {
    expect(lineOf(verdict)).toBe('held   ours : bare  ×0.57  target ×0.60  checked ×0.55');
    expect(lineOf({ ...verdict, measured: 0.5 })).toMatch(/^BROKE /);
    expect(lineOf({ ...verdict, atLeast: null })).toMatch(/^shown .* not checked$/);
  });
});
