import type { JsonRecord, JsonValue } from '../json/json-digits.ts';
import type { FieldSpec, FieldTable } from '../schemas/field.decorators.ts';
import { isEmpty, isExactInCents, isOfType, isWithinLimits } from './field-checks.ts';

/** Creation or change: the fields that creation requires are required by no change. */
export type RecordMode = 'create' | 'update';

/** The constraint that a value broke. */
export type BrokenConstraint = 'required' | 'notEmpty' | 'type' | 'limit' | 'cents';

/**
 * Constraints of a field, the gravest first. They distinguish required, null and absent, as the platform does, so that
 * null has every type.
 */
const CONSTRAINTS: Readonly<Record<BrokenConstraint, (value: JsonValue | undefined, spec: FieldSpec) => boolean>> = {
  required: (value) => value !== undefined,
  // The platform requires a value: neither null nor empty text.
  notEmpty: (value) => value === undefined || !isEmpty(value),
  type: (value, spec) => value === undefined || isOfType(spec, value),
  limit: (value, spec) => value === undefined || isWithinLimits(spec, value),
  cents: (value, spec) => value === undefined || isExactInCents(spec, value),
};

const GRAVEST_FIRST = Object.keys(CONSTRAINTS) as readonly BrokenConstraint[];

/**
 * Checks a record against the table of its DTO: the gravest broken constraint of each field, in the order of the table.
 * Keys outside the table are ignored.
 */
export function brokenConstraints(
  table: FieldTable,
  record: JsonRecord,
  mode: RecordMode,
): ReadonlyMap<string, BrokenConstraint> {
  const broken = new Map<string, BrokenConstraint>();
  for (const [name, spec] of Object.entries<FieldSpec>(table)) {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    const gravest = GRAVEST_FIRST.find((each) => isNeeded(each, spec, mode) && !CONSTRAINTS[each](value, spec));
    if (gravest !== undefined) broken.set(name, gravest);
  }
  return broken;
}

function isNeeded(constraint: BrokenConstraint, { required, type }: FieldSpec, mode: RecordMode): boolean {
  if (constraint === 'required') return required !== undefined && (required !== 'create' || mode === 'create');
  if (constraint === 'notEmpty') return required !== undefined;
  return constraint !== 'cents' || type === 'money';
}
