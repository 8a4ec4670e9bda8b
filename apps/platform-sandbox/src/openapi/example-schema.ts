import { isGuid } from '../values/guid.ts';

/**
 * JSON schema of an example: an object with these properties, `required` or not, a list with the schema of its entries,
 * or a value of this type; null allows any value.
 */
export function schemaOf(example: unknown, required = true): object {
  if (example === null || example === undefined) return {};
  if (Array.isArray(example)) {
    const entries = new Map(example.map((entry) => [JSON.stringify(schemaOf(entry, required)), entry]));
    const schemas = [...entries.values()].map((entry) => schemaOf(entry, required));
    return { type: 'array', items: schemas.length > 1 ? { anyOf: schemas } : (schemas[0] ?? {}) };
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
