import { validateSync } from 'class-validator';
import type { FieldTable } from './field-spec.ts';
import type { JsonRecord } from '../json/json-digits.ts';
import type { BrokenConstraint, RecordMode } from './field.decorators.ts';

const GRAVEST_FIRST: readonly BrokenConstraint[] = ['required', 'notEmpty', 'type', 'limit', 'cents'];

/**
 * Checks a record against its DTO: the gravest broken constraint of each field, in the order of the table. The
 * record itself is not changed; keys outside the table are ignored.
 */
export function brokenConstraints(
  dto: new () => object,
  table: FieldTable,
  record: JsonRecord,
  mode: RecordMode,
): ReadonlyMap<string, BrokenConstraint> {
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
