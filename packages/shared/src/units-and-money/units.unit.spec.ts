import { describe, expect, it } from '@jest/globals';
import { UNITS, UNIT_NAMES, unitFrom, unitName } from './units.ts';

describe('units', () => {
  it('goes from text to number and back (rule 22)', () => {
    expect(UNITS).toEqual({ Un: 1, Kg: 2, G: 3, Mg: 4 });
    for (const name of UNIT_NAMES) expect(unitName(UNITS[name])).toBe(name);
    expect(unitName(0)).toBeNull();
    expect(unitName(5)).toBeNull();
  });

  it("takes the platform's words exactly and the tenant's by its map, and never falls back to Un (rule 20)", () => {
    expect(unitFrom('Kg')).toBe('Kg');
    expect(unitFrom('UN', { UN: 'Un' })).toBe('Un');
    for (const other of ['UN', 'kg', '', 'toString', null, 2, undefined]) expect(unitFrom(other)).toBeNull();
    expect(unitFrom('toString', { UN: 'Un' })).toBeNull();
  });
});
