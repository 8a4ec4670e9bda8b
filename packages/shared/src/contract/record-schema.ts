import { fieldTable } from '../fields/field.decorators.ts';
import { publishedFields } from '../schemas/published.decorators.ts';
import type { FieldTable } from '../fields/field-spec.ts';
import { fieldSchema } from './field-schemas.ts';
import type { Dto, JsonSchema } from '../schemas/json-schema.ts';
import { publishedSchema } from './published-schemas.ts';
import { extraProperties, recordRules } from './record-rules.ts';

export interface SchemaOptions {
  /** `create`: fields that are required on creation are required. */
  readonly mode?: 'create' | 'update';
  /**
   * For tests: rejects fields that the schema does not name, since Gondola writes none. The published schemas allow
   * them, because a reader must accept them.
   */
  readonly closed?: boolean;
}

/** Schema of a record with the fields of one or several classes; schemas of nested records are in `$defs`. */
export function recordSchema(dtos: readonly Dto[], options: SchemaOptions = {}): JsonSchema {
  const defs = new Map<string, JsonSchema>();
  const refOf = (dto: Dto): JsonSchema => {
    const name = dto.name.replace(/Dto$/, '');
    if (!defs.has(name)) {
      defs.set(name, {});
      defs.set(name, objectSchema([dto], options, refOf));
    }
    return { $ref: `#/$defs/${name}` };
  };
  const schema = objectSchema(dtos, options, refOf);
  return defs.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(defs) };
}

function objectSchema(
  dtos: readonly Dto[],
  { mode = 'update', closed = false }: SchemaOptions,
  refOf: (dto: Dto) => JsonSchema,
): JsonSchema {
  const required: string[] = [];
  const properties: Record<string, JsonSchema> = {};
  let isOpen = false;
  for (const dto of dtos) {
    const published = publishedFields(dto);
    for (const [name, spec] of Object.entries(published ?? {})) {
      properties[name] = publishedSchema(spec, refOf);
      if (spec.optional !== true) required.push(name);
    }
    isOpen ||= published !== null && !closed;
    const table: FieldTable = published === null ? fieldTable(dto) : {};
    for (const [name, spec] of Object.entries(table)) {
      properties[name] = fieldSchema(name, spec, refOf);
      if (spec.required === 'always' || spec.required === mode) required.push(name);
    }
    Object.assign(properties, extraProperties(dto));
  }
  const rules = dtos.flatMap(recordRules);
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(!isOpen && { additionalProperties: false }),
    ...(rules.length > 0 && { allOf: rules }),
  };
}
