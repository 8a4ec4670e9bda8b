interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
  readonly exclusiveMinimum?: number;
  readonly minimum?: number;
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/**
 * The same schema in a form that generators of clients read: values of several types, apart from null, are alternatives
 * of one type each, a constant is a list of one word, a limit is itself allowed or said in words, and an object has the
 * defaults of its fields alone.
 */
export function readableSchema<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map((each: unknown) => readableSchema(each)) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf, ...limited } = withoutExclusiveLimit(withWords(schema as Schema));
  const alternatives = anyOf ?? alternativesOf(limited);
  const { type: _type, enum: _words, ...others } = limited;
  const shown = alternatives === null ? limited : { ...others, oneOf: alternatives };
  return mapped(shown, (value, keyword) =>
    keyword === 'properties' ? mapped(value as object, readableSchema) : readableSchema(value),
  ) as T;
}

function mapped(object: object, by: (value: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, by(value, name)]));
}

function withWords({ const: word, default: standard, ...schema }: Schema): Schema {
  return {
    ...schema,
    ...(word !== undefined && { enum: [word] }),
    ...(typeof standard !== 'object' && standard !== undefined && { default: standard }),
  };
}

function withoutExclusiveLimit({ exclusiveMinimum: above, ...schema }: Schema): Schema {
  if (typeof above !== 'number') return above === undefined ? schema : { ...schema, exclusiveMinimum: above };
  if (schema.type === 'integer') return { ...schema, minimum: above + 1 };
  return {
    ...schema,
    minimum: above,
    description: [schema.description, `more than ${above}`].filter(Boolean).join('; '),
  };
}

/** Null for values of one type, or of one type and null. */
function alternativesOf({ type, enum: words }: Schema): object[] | null {
  if (Array.isArray(words)) {
    const byType = Object.entries(Object.groupBy(words, (word) => typeof word));
    return byType.length < 2 ? null : byType.map(([of, its]) => ({ type: of, enum: its }));
  }
  if (!Array.isArray(type) || type.filter((each) => each !== 'null').length < 2) return null;
  return type.map((each) => ({ type: each as string }));
}
