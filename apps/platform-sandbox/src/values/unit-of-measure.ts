/** Text in the integration API, number in core routes (docs/platform.md, "Unit of measure type rule"). */
export type UnitOfMeasure = 'Un' | 'Kg' | 'G' | 'Mg';

const UNIT_CODES: Readonly<Record<UnitOfMeasure, number>> = { Un: 1, Kg: 2, G: 3, Mg: 4 };

export const UNITS_OF_MEASURE = Object.keys(UNIT_CODES) as readonly UnitOfMeasure[];

export function isUnitOfMeasure(value: unknown): value is UnitOfMeasure {
  return typeof value === 'string' && Object.hasOwn(UNIT_CODES, value);
}

export function unitCode(unit: UnitOfMeasure): number {
  return UNIT_CODES[unit];
}
