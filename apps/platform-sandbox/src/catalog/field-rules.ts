import type { Violation } from '../values/refusal.ts';
import { isJsonObject, keyOf, numberOf, type Json, type JsonObject } from '../values/exact-json.ts';
import { isGuid } from '../values/guid.ts';
import { UNITS_OF_MEASURE, isUnitOfMeasure } from '../values/unit-of-measure.ts';

/**
 * The core's rule for one input key. `property` is the name in a rejection. A key without a rule is unknown and
 * silently ignored.
 */
export interface FieldRule {
  readonly key: string;
  readonly property: string;
  readonly required: boolean;
  /** Reason for rejecting a value other than null; undefined if the value is valid. */
  readonly problem: (value: Json) => string | undefined;
  /** JSON schema of such a value. */
  readonly schema: object;
}

interface Bounds {
  readonly required?: true;
  readonly min?: number;
  readonly max?: number;
}

/** A kind of field: creates the rule of a key. */
function kind(
  problem: (value: Json, bounds: Bounds) => string | undefined,
  schema: object | ((bounds: Bounds) => object),
) {
  return (key: string, bounds: Bounds = {}): FieldRule => ({
    key,
    property: key === 'ean' ? 'EAN' : `${key.charAt(0).toUpperCase()}${key.slice(1)}`,
    required: bounds.required === true,
    problem: (value) => problem(value, bounds),
    schema: typeof schema === 'function' ? (schema as (bounds: Bounds) => object)(bounds) : schema,
  });
}

export const text = kind((value, { required, min = 0, max = Infinity }) => {
  if (typeof value !== 'string') return 'must be a text.';
  if (value.includes('\u0000')) return 'must not hold the character NUL.';
  if (required && value.trim() === '') return 'must not be empty.';
  if (value.length < min) return `must be at least ${min} characters long.`;
  return value.length > max ? `must be at most ${max} characters long.` : undefined;
}, textSchema);

export const guid = kind((value) => (typeof value === 'string' && isGuid(value) ? undefined : 'must be a GUID.'), {
  type: 'string',
  format: 'uuid',
});

/** A JSON number of any size; a number in quotes is text. */
export const number = kind((value) => (numberOf(value) === undefined ? 'must be a number.' : undefined), {
  type: 'number',
});

/** A JSON number without a fraction; 1.0 is valid. */
export const integer = kind(
  (value) => (Number.isSafeInteger(numberOf(value)) ? undefined : 'must be a whole number.'),
  {
    type: 'integer',
  },
);

export const atLeastZero = kind(
  (value) => {
    const amount = numberOf(value);
    if (amount === undefined) return 'must be a number.';
    return amount >= 0 ? undefined : 'must be greater than or equal to 0.';
  },
  { type: 'number', minimum: 0 },
);

export const aboveZero = kind(
  (value) => {
    const amount = numberOf(value);
    if (amount === undefined) return 'must be a number.';
    return amount > 0 ? undefined : 'must be greater than 0.';
  },
  { type: 'number', exclusiveMinimum: 0 },
);

export const flag = kind((value) => (typeof value === 'boolean' ? undefined : 'must be true or false.'), {
  type: 'boolean',
});

/** A pure date, YYYY-MM-DD, that exists in the calendar. */
export const date = kind(
  (value) =>
    typeof value === 'string' && isCalendarDate(value) ? undefined : 'must be a date in the format YYYY-MM-DD.',
  { type: 'string', format: 'date' },
);

export const unit = kind(
  (value) => (isUnitOfMeasure(value) ? undefined : `must be one of ${UNITS_OF_MEASURE.join(', ')}.`),
  { enum: UNITS_OF_MEASURE },
);

/** A field without any rule, even for its type. */
export const anything = kind(() => undefined, {});

function textSchema({ required, min = required ? 1 : 0, max }: Bounds): object {
  return { type: 'string', ...(min > 0 && { minLength: min }), ...(max !== undefined && { maxLength: max }) };
}

/** JSON schema of an object with these fields, as it is sent to create it. */
export function schemaOfFields(rules: readonly FieldRule[]) {
  return {
    type: 'object',
    required: rules.filter(({ required }) => required).map(({ key }) => key),
    properties: Object.fromEntries(
      rules.map(({ key, required, schema }) => [
        key,
        required || !('type' in schema) ? schema : { ...schema, type: [schema.type, 'null'] },
      ]),
    ) as Record<string, object>,
  };
}

/**
 * Violations of the present keys and, when `creating`, missing required keys. Null is not "absent": it clears an
 * optional field and is rejected for a required one.
 */
export function violations(rules: readonly FieldRule[], given: JsonObject, creating: boolean): Violation[] {
  return rules.flatMap(({ key, property, required, problem }) => {
    const value = keyOf(given, key);
    if (value === undefined) return required && creating ? [violation(property, 'is required.')] : [];
    if (value === null) return required ? [violation(property, 'must not be null.')] : [];
    const found = problem(value);
    return found === undefined ? [] : [violation(property, found)];
  });
}

/** Partial update: present keys replace their values, all others stay. */
export function withPresentKeys(rules: readonly FieldRule[], current: JsonObject, given: JsonObject): JsonObject {
  const present = rules.flatMap(({ key }) => {
    const value = keyOf(given, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { ...current, ...Object.fromEntries(present) };
}

export function violation(property: string, problem: string): Violation {
  return { key: property, validation: `'${property}' ${problem}` };
}

/** The text of a key, or null if it has none; names an entity in reports. */
export function textOrNull(given: Json, key: string): string | null {
  const value = isJsonObject(given) ? keyOf(given, key) : undefined;
  return typeof value === 'string' ? value : null;
}

function isCalendarDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const atMidnight = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(atMidnight.getTime()) && atMidnight.toISOString().startsWith(value);
}
