import { OpenApiDocument } from '@gondola/service-kit/http/openapi-document';
import type { RunningApp } from '@gondola/service-kit/run/create-app';

/** A schema of an OpenAPI document, as far as requests need it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** A query parameter, or a field of a JSON body, that a route declares. */
export interface DeclaredField {
  readonly route: string;
  readonly place: 'query' | 'body';
  readonly name: string;
  readonly schema: Schema;
  /** Calls the route with this value, and with valid ones where others are required. */
  ask(value: unknown): Promise<{ readonly status: number; readonly message: string }>;
}

/** The fields of the requests of an operations API, by its own document; the app is not started. */
export async function declaredFields(app: RunningApp['app'], token: string): Promise<DeclaredField[]> {
  const { paths, components } = await app.get(OpenApiDocument).content();
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  const schemas = (components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const resolved = (schema: Schema) => (schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!]!);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  return Object.entries(paths).flatMap(([path, item]) => {
    if (!path.startsWith('/api/')) return [];
    return Object.entries(item as Readonly<Record<string, Operation>>).flatMap(([method, operation]) => {
      const { parameters = [], requestBody } = operation;
      const route = `${method.toUpperCase()} ${path}`;
      const url = path.replaceAll(/\{\w+\}/g, '1');
      const body = requestBody?.content['application/json']?.schema;
      const { properties = {}, required = [] } = body === undefined ? {} : resolved(body);
      const least = Object.fromEntries(required.map((name) => [name, validValue(name, properties[name]!)]));
      const ask = async (query: Record<string, string>, given: object) => {
        const answer = await app.inject({
          method: method.toUpperCase() as 'GET',
          url,
          query,
          headers,
          ...(body !== undefined && { payload: JSON.stringify({ ...least, ...given }) }),
        });
        const { error } = answer.body === '' ? {} : answer.json<{ error?: { message: string } }>();
        return { status: answer.statusCode, message: error?.message ?? '' };
      };
      const inQuery = parameters.filter((parameter) => parameter.in === 'query');
      return [
        ...inQuery.map(({ name, schema }): DeclaredField => {
          return { route, place: 'query', name, schema, ask: (value) => ask({ [name]: String(value) }, {}) };
        }),
        ...Object.entries(properties).map(([name, schema]): DeclaredField => {
          return { route, place: 'body', name, schema, ask: (value) => ask({}, { [name]: value }) };
        }),
      ];
    });
  });
}

function validValue(name: string, { type, format, pattern, enum: words, minimum }: Schema): unknown {
  if (name === 'tenant') return 'acme';
  if (words !== undefined) return words[0];
  if (type === 'array') return ['{}'];
  if (type === 'boolean') return true;
  if (type !== 'string') return minimum ?? 1;
  if (format === 'email') return 'a@example.com';
  if (format === 'date-time') return '2026-11-26T08:00:00Z';
  return pattern?.includes('{64}') ? 'a'.repeat(64) : 'x';
}
