import { registerDecorator, validateSync } from 'class-validator';
import type { JsonRecord, JsonValue } from '../json/json-digits.ts';
import { type FieldSpec, type FieldTable, fieldTable } from '../schemas/field.decorators.ts';
import type { Dto } from '../schemas/json-schema.ts';
import { isEmpty, isExactInCents, isOfType, isWithinLimits } from './field-checks.ts';

/** Creation or change: the validation group of fields that creation requires. */
export type RecordMode = 'create' | 'update';

/** The constraint that a value broke, named as in class-validator's errors. */
export type BrokenConstraint = 'required' | 'notEmpty' | 'type' | 'limit' | 'cents';

/**
 * Constraints of a field, the gravest first. They distinguish required, null and absent, which those of
 * class-validator do not: its `IsOptional` accepts null, and an absent field of a class is an own property
 * `undefined`. The platform distinguishes null from absent, so null has every type.
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
 * Checks a copy of a record against its DTO: the gravest broken constraint of each field, in the order of the
 * table. The record itself is not changed, and is sent; keys outside the table are ignored.
 */
export function brokenConstraints(
  dto: Dto,
  table: FieldTable,
  record: JsonRecord,
  mode: RecordMode,
): ReadonlyMap<string, BrokenConstraint> {
  if (meetsAll(table, record, mode)) return NONE;
  constrain(dto);
  const known = Object.keys(table).filter((name) => Object.hasOwn(record, name));
  const copy = Object.assign(new dto(), Object.fromEntries(known.map((name) => [name, record[name]])));
  const errors = validateSync(copy, { groups: [mode], validationError: { target: false, value: false } });
  const found = new Map(errors.map((error) => [error.property, Object.keys(error.constraints ?? {})]));
  const broken = new Map<string, BrokenConstraint>();
  for (const name of Object.keys(table)) {
    const gravest = GRAVEST_FIRST.find((constraint) => found.get(name)?.includes(constraint));
    if (gravest !== undefined) broken.set(name, gravest);
  }
  return broken;
}

const NONE: ReadonlyMap<string, BrokenConstraint> = new Map();

/** True for nearly every record: class-validator takes many times as long to find nothing. */
function meetsAll(table: FieldTable, record: JsonRecord, mode: RecordMode): boolean {
  return Object.entries<FieldSpec>(table).every(([name, spec]) => {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    const isLeftOut = mode === 'update' && spec.required === 'create' && value === undefined;
    return isLeftOut || GRAVEST_FIRST.every((each) => !isNeeded(each, spec) || CONSTRAINTS[each](value, spec));
  });
}

const CONSTRAINED = new WeakSet<Dto>();

/** Registers the constraints of a DTO's fields with class-validator, once. */
function constrain(dto: Dto): void {
  if (CONSTRAINED.has(dto)) return;
  CONSTRAINED.add(dto);
  for (const [propertyName, spec] of Object.entries<FieldSpec>(fieldTable(dto))) {
    for (const name of GRAVEST_FIRST.filter((each) => isNeeded(each, spec))) {
      const validate = (value: JsonValue | undefined) => CONSTRAINTS[name](value, spec);
      const options = name === 'required' && spec.required === 'create' ? { groups: ['create'] } : { always: true };
      registerDecorator({ name, target: dto, propertyName, options, constraints: [], validator: { validate } });
    }
  }
}

function isNeeded(constraint: BrokenConstraint, { required, type }: FieldSpec): boolean {
  if (constraint === 'required' || constraint === 'notEmpty') return required !== undefined;
  return constraint !== 'cents' || type === 'money';
}
