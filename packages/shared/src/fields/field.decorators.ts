import { getMetadataStorage, registerDecorator } from 'class-validator';
import { type FieldSpec, isEmpty, isExactInCents, isOfType, isWithinLimits } from './field-spec.ts';
import type { JsonValue } from '../json/json-digits.ts';

/**
 * Decorators that distinguish required, null and absent. Those of class-validator do not: its `IsOptional` accepts
 * null, and an absent field of a class is an own property `undefined`. They check a copy of the record; the record
 * itself is sent.
 */

/** Creation or change: the validation group of `RequiredOnCreate`. */
export type RecordMode = 'create' | 'update';

/** The constraint that a value broke, named as in class-validator's errors. */
export type BrokenConstraint = 'required' | 'notEmpty' | 'type' | 'limit' | 'cents';

/** The field must be present: always for an identity, else on creation. */
export function Required(when: 'always' | 'create'): PropertyDecorator {
  return constraint('required', (value) => value !== undefined, when);
}

/** The field may be absent, but neither null nor empty text: the platform requires a value. */
export function NotEmpty(): PropertyDecorator {
  return constraint('notEmpty', (value) => value === undefined || !isEmpty(value));
}

/**
 * A present value has the type of its table. Null is accepted, since the platform distinguishes null from absent.
 */
export function OfType(spec: FieldSpec): PropertyDecorator {
  return constraint('type', (value) => value === undefined || isOfType(spec, value), 'always', [spec]);
}

/** The value is within the limits of its table. */
export function WithinLimits(spec: FieldSpec): PropertyDecorator {
  return constraint('limit', (value) => value === undefined || isWithinLimits(spec, value));
}

/** The amount can be expressed in cents (rule 14). */
export function ExactInCents(spec: FieldSpec): PropertyDecorator {
  return constraint('cents', (value) => value === undefined || isExactInCents(spec, value));
}

/** Declares a field with its type and limits; the decorated property is their only definition. */
export function Field(spec: FieldSpec): PropertyDecorator {
  return (target, property) => {
    if (spec.required !== undefined) {
      Required(spec.required)(target, property);
      NotEmpty()(target, property);
    }
    OfType(spec)(target, property);
    WithinLimits(spec)(target, property);
    if (spec.type === 'money') ExactInCents(spec)(target, property);
  };
}

/**
 * Table entries of a class's properties, from class-validator's metadata: first those of its base class, each
 * class's in their own order.
 */
export function fieldTable<T extends object>(dto: new () => T): Readonly<Record<keyof T & string, FieldSpec>> {
  const constraints = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  const types = constraints
    .filter(({ name }) => name === ('type' satisfies BrokenConstraint))
    .toSorted((a, b) => depthOf(a.target) - depthOf(b.target));
  const specs = types.map(({ propertyName, constraints: [spec] }) => [propertyName, spec as FieldSpec]);
  return Object.fromEntries(specs) as Record<keyof T & string, FieldSpec>;
}

/** Number of base classes of a class. */
function depthOf(target: unknown): number {
  let depth = 0;
  for (let each: unknown = target; typeof each === 'function'; each = Object.getPrototypeOf(each)) depth += 1;
  return depth;
}

function constraint(
  name: BrokenConstraint,
  holds: (value: JsonValue | undefined) => boolean,
  when: 'always' | 'create' = 'always',
  constraints: readonly FieldSpec[] = [],
): PropertyDecorator {
  const options = when === 'always' ? { always: true } : { groups: [when] };
  return (target, property) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      options,
      constraints: [...constraints],
      validator: { validate: (value: JsonValue | undefined) => holds(value) },
    });
  };
}
