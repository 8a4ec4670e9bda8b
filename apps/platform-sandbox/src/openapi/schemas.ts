/** The pieces of which JSON schemas in the OpenAPI document are made. */

export const TEXT = { type: 'string' } as const;
export const INTEGER = { type: 'integer' } as const;
export const NUMBER = { type: 'number' } as const;
export const FLAG = { type: 'boolean' } as const;
export const TIME = { type: 'string', format: 'date-time' } as const;
export const GUID = { type: 'string', format: 'uuid' } as const;
export const ANYTHING = {} as const;
export const SOME_OBJECT = { type: 'object' } as const;

export const A_GUID = '11111111-1111-4111-8111-111111111111';

export function listOf(schema: object): object {
  return { type: 'array', items: schema };
}

export function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with these properties, all of them always there. */
export function object(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', required: Object.keys(properties), properties };
}

export function orNull(schema: object): object {
  return { anyOf: [schema, { type: 'null' }] };
}
