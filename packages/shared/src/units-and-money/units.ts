/**
 * Units of measure (platform document, "Unit of measure type rule"): text in the integration API, a number in core
 * routes.
 */
export const UNITS = { Un: 1, Kg: 2, G: 3, Mg: 4 } as const;

export type UnitName = keyof typeof UNITS;

export const UNIT_NAMES = Object.keys(UNITS) as readonly UnitName[];

export function isUnitName(text: unknown): text is UnitName {
  return typeof text === 'string' && Object.hasOwn(UNITS, text);
}

/** Unit of a core route's number; null if the document does not name the number. */
export function unitName(code: number): UnitName | null {
  return UNIT_NAMES.find((name) => UNITS[name] === code) ?? null;
}

/**
 * The platform's unit for an ERP's value: by the tenant's own map first (`UN: Un`), then by the platform's exact
 * names. Null for anything else: an unknown unit never becomes `Un` (rule 20).
 */
export function unitFrom(value: unknown, tenantUnits: Readonly<Record<string, UnitName>> = {}): UnitName | null {
  if (typeof value !== 'string') return null;
  if (Object.hasOwn(tenantUnits, value)) return tenantUnits[value] ?? null;
  return isUnitName(value) ? value : null;
}
