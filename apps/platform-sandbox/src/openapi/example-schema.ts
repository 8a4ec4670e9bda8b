import { isGuid } from '../values/guid.ts';

/** As far as examples have it. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/**
 * JSON schema of an example: an object with these properties, `required` or not, a list with the one schema of all its
 * entries, or a value of this type; null allows any value.
 */
export function schemaOf(example: unknown, required = true): Schema {
  if (example === null || example === undefined) return {};
  if (Array.isArray(example)) {
    const [first = {}, ...others] = example.map((entry) => schemaOf(entry, required));
    return { type: 'array', items: others.reduce(inBoth, first) };
  }
  if (typeof example === 'object') {
    const properties = Object.entries(example).map(([key, value]) => [key, schemaOf(value, required)]);
    const keys = Object.keys(example);
    return { type: 'object', ...(required && { required: keys }), properties: Object.fromEntries(properties) };
  }
  if (typeof example === 'number') return { type: Number.isInteger(example) ? 'integer' : 'number' };
  if (typeof example !== 'string') return { type: typeof example };
  if (isGuid(example)) return { type: 'string', format: 'uuid' };
  return /^\d{4}-\d{2}-\d{2}T.*Z$/.test(example) ? { type: 'string', format: 'date-time' } : { type: 'string' };
}

/**
 * The schema of values of both: clients are generated from one schema, and cannot tell two of objects apart. A property
 * is required if both require it; values of two types may be anything.
 */
function inBoth(one: Schema, other: Schema): Schema {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (one.type !== other.type) return isNumeric(one) && isNumeric(other) ? { type: 'number' } : {};
  if (one.type === 'array') return { type: 'array', items: inBoth(one.items ?? {}, other.items ?? {}) };
  if (one.type !== 'object') return { type: one.type! };
  const [left, right] = [one.properties ?? {}, other.properties ?? {}];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  const properties = [...names].map((name) => {
    const [of, ofOther] = [left[name], right[name]];
    return [name, of === undefined || ofOther === undefined ? (of ?? ofOther)! : inBoth(of, ofOther)] as const;
  });
  const required = one.required?.filter((name) => other.required?.includes(name));
  return { type: 'object', ...(required && { required }), properties: Object.fromEntries(properties) };
}

function isNumeric({ type }: Schema): boolean {
  return type === 'integer' || type === 'number';
}
