import { z } from 'zod';

/** The pieces of which the sandbox's OpenAPI document is written. */

export interface OperationOptions {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly object[];
  /** A schema of the body and an example of it. */
  readonly body?: readonly [schema: object, example: unknown];
  /** Of a form. */
  readonly form?: object;
  /** Schema and example of the answer; undefined where it has no body. */
  readonly answer?: readonly [schema: object, example: unknown];
  /** Default 200. */
  readonly status?: number;
  /** Of a file. */
  readonly binary?: true;
  readonly errors?: Readonly<Record<number, string>>;
  /**
   * Names of security schemes that are all needed; none where a route is open, the operations token where it is left
   * out.
   */
  readonly security?: readonly string[];
}

/** Of every JSON body; the limit stands in app-options.ts. */
const TOO_LARGE = { 413: 'The body is larger than 32 MiB' };

export function operation(options: OperationOptions): object {
  const { summary, description, parameters, body, form, answer, binary, status = 200, errors = {}, security } = options;
  const answered = binary
    ? { description: 'The file', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } }
    : { description: answer ? 'OK' : 'Done', ...(answer && { content: json(answer) }) };
  return {
    summary,
    ...(description !== undefined && { description }),
    ...(security && { security: security.length === 0 ? [] : [requirement(security)] }),
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: json(body) } }),
    ...(form && { requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } } }),
    responses: { [status]: answered, ...errorsOf({ ...(body && TOO_LARGE), ...errors }) },
  };
}

/** What a zod schema takes, as JSON schema. */
export function taken(schema: z.ZodType): object {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return shape;
}

export function inPath(name: string, description: string, schema: object = { type: 'string' }): object {
  return { name, in: 'path', required: true, description, schema };
}

export function inQuery(name: string, description: string, schema: object = { type: 'string' }): object {
  return { name, in: 'query', description, schema };
}

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

export const TEXT = { type: 'string' } as const;
export const INTEGER = { type: 'integer' } as const;
export const NUMBER = { type: 'number' } as const;
export const FLAG = { type: 'boolean' } as const;
export const TIME = { type: 'string', format: 'date-time' } as const;
export const GUID = { type: 'string', format: 'uuid' } as const;
export const ANYTHING = {} as const;
export const SOME_OBJECT = { type: 'object' } as const;

export function orNull(schema: object): object {
  return { anyOf: [schema, { type: 'null' }] };
}

function json([schema, example]: readonly [object, unknown]): object {
  return { 'application/json': { schema, example } };
}

function requirement(schemes: readonly string[]): object {
  return Object.fromEntries(schemes.map((scheme) => [scheme, []]));
}

function errorsOf(errors: Readonly<Record<number, string>>): object {
  const content = { 'application/json': { schema: ref('Error') } };
  return Object.fromEntries(Object.entries(errors).map(([status, description]) => [status, { description, content }]));
}
