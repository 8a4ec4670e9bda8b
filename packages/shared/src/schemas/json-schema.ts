/** A JSON Schema (2020-12) as an object; `true` and `false` are schemas too, but are not used here. */
export interface JsonSchema {
  readonly [keyword: string]: SchemaValue | undefined;
}

export type SchemaValue =
  | string
  | number
  | boolean
  | null
  | JsonSchema
  | readonly SchemaValue[]
  | { readonly [name: string]: SchemaValue };

/** A class that defines a record's fields. */
export type Dto = new () => object;

/** The schema, extended to accept null. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: choices, anyOf, ...rest } = schema;
  if (Array.isArray(anyOf)) return { ...rest, anyOf: [...anyOf, { type: 'null' }] };
  if (schema['$ref'] !== undefined) return { anyOf: [schema, { type: 'null' }] };
  if (type === undefined && choices === undefined) return schema;
  return {
    ...(type !== undefined && { type: [type, 'null'].flat() as string[] }),
    ...(Array.isArray(choices) && { enum: [...choices, null] }),
    ...rest,
  };
}
