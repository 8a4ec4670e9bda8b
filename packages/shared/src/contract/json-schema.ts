/** A JSON Schema (2020-12) as an object; `true` and `false` are schemas too, but not needed here. */
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

/** A class that is the home of a record's fields. */
export type Dto = new () => object;

/** The same schema, which null matches too. */
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
