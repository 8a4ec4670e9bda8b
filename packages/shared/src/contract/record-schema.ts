import { type FieldSpec, fieldTable } from '../schemas/field.decorators.ts';
import { fieldSchema, writtenSchema } from './field-schemas.ts';
import type { Dto, JsonSchema } from '../schemas/json-schema.ts';
import { extraProperties, narrowerProperties, recordRules } from './record-rules.ts';

export interface SchemaOptions {
  /** `create`: fields that are required on creation are required. */
  readonly mode?: 'create' | 'update';
  /**
   * For tests: rejects fields and words that the schema does not name, since Gondola writes none. The published schemas
   * allow them, because a reader must accept them.
   */
  readonly closed?: boolean;
}

interface Direction {
  /** True for a record that Gondola writes, false for one that it reads. */
  readonly isWritten: boolean;
}

/** Schema of a record with the fields of one or several classes; schemas of nested records are in `$defs`. */
export function recordSchema(dtos: readonly Dto[], options: SchemaOptions & Direction): JsonSchema {
  const defs = new Map<string, JsonSchema>();
  const refOf = (dto: Dto): JsonSchema => {
    const name = dto.name.replace(/Dto$/, '');
    if (!defs.has(name)) {
      defs.set(name, {});
      defs.set(name, { title: name, ...objectSchema([dto], options, refOf) });
    }
    return { $ref: `#/$defs/${name}` };
  };
  const schema = objectSchema(dtos, options, refOf);
  return defs.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(defs) };
}

function objectSchema(
  dtos: readonly Dto[],
  { isWritten, mode = 'update', closed = false }: SchemaOptions & Direction,
  refOf: (dto: Dto) => JsonSchema,
): JsonSchema {
  const required: string[] = [];
  const properties: Record<string, JsonSchema> = {};
  for (const dto of dtos) {
    for (const [name, spec] of Object.entries<FieldSpec>(fieldTable(dto))) {
      properties[name] = isWritten
        ? writtenSchema(closed ? withoutOpenness(spec) : spec, refOf)
        : fieldSchema(name, spec, refOf);
      const isRequired = spec.required === 'always' || spec.required === mode;
      if (isWritten ? spec.optional !== true : isRequired) required.push(name);
    }
    Object.assign(properties, extraProperties(dto));
    for (const [name, narrower] of Object.entries(narrowerProperties(dto))) {
      properties[name] = { ...properties[name], ...narrower };
    }
  }
  const rules = dtos.flatMap(recordRules);
  const about = textsOfAny(dtos);
  return {
    ...(about !== '' && { description: about }),
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...((closed || !isWritten) && { additionalProperties: false }),
    ...(rules.length > 0 && { allOf: rules }),
  };
}

/**
 * Descriptions of fields with any value. A generator that finds a description takes its schema for an object's, so they
 * stand with the record.
 */
function textsOfAny(dtos: readonly Dto[]): string {
  const fields = dtos.flatMap((dto) => Object.entries<FieldSpec>(fieldTable(dto)));
  return fields
    .flatMap(([name, { type, about }]) => (type === 'any' && about !== undefined ? [`\`${name}\`: ${about}.`] : []))
    .join(' ');
}

function withoutOpenness({ open: _open, ...spec }: FieldSpec): FieldSpec {
  return spec;
}
