import { z } from 'zod';
import type { AnyRoute, Parameter } from '../http/route.ts';
import { schemaOf } from './example-schema.ts';
import { readableSchema } from './readable-schema.ts';

/** Parameters with the same meaning in all routes. */
const PARAMETERS: Readonly<Record<string, Parameter>> = {
  reference: 'externalReference',
  number: ['Number of the order', { type: 'integer' }],
  orderNumber: ['Number of the order', { type: 'integer' }],
  contractAccountId: 'GUID of the merchant; optional if there is only one merchant',
};

const TOO_LARGE = { 413: 'The body is larger than 32 MiB' };
const BODY_INVALID = { 400: 'The body does not fit; the message names all problems' };
const QUERY_INVALID = { 400: 'A parameter does not fit' };
const ERRORS_OF_ACCESS: Readonly<Record<AnyRoute['access'], Readonly<Record<number, string>>>> = {
  merchant: { 401: 'Credentials or x-contractAccountId are missing or wrong' },
  core: {},
  admin: {
    401: 'The operations token is missing or wrong',
    403: 'OPERATIONS_TOKEN is not set, and the call is not a direct one from this machine',
    500: 'The journal cannot be written',
  },
  operations: { 401: 'The operations token is missing or wrong', 403: 'OPERATIONS_TOKEN is not set' },
  open: {},
};
const SECURITY: Readonly<Record<AnyRoute['access'], readonly object[]>> = {
  merchant: [{ basic: [], contractAccountId: [] }],
  core: [{ apiKey: [] }],
  admin: [{ operationsToken: [] }],
  operations: [{ operationsToken: [] }],
  open: [],
};

const SECURITY_SCHEMES = {
  basic: { type: 'http', scheme: 'basic' },
  contractAccountId: { type: 'apiKey', in: 'header', name: 'x-contractAccountId', description: 'GUID of the merchant' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'API key of the core service' },
  operationsToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'OPERATIONS_TOKEN. Unset: /api is off, and /admin answers direct calls from this machine without it',
  },
};

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
    },
  },
};

/** A notification that the sandbox sends to the merchant's webhook. */
export interface DocumentedEvent {
  readonly name: string;
  readonly summary: string;
  readonly example: unknown;
}

/** The OpenAPI document, derived from the definitions of the routes and from examples of the events. */
export function openApiDocument(
  routes: readonly AnyRoute[],
  events: readonly DocumentedEvent[],
  version: string,
): { paths: Record<string, Record<string, unknown>> } & Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    for (const [path, described] of documented(route)) {
      const method = route.method.toLowerCase();
      paths[path] = { ...paths[path], [method]: operation(method, path, described) };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Gondola platform-sandbox', version },
    security: [{ operationsToken: [] }],
    paths,
    webhooks: Object.fromEntries(events.map((event) => [event.name, webhook(event)])),
    components: { schemas: { Error: ERROR }, securitySchemes: SECURITY_SCHEMES },
  };
}

function documented(route: AnyRoute): (readonly [string, AnyRoute])[] {
  if (route.documented) return Object.entries(route.documented).map(([path, own]) => [path, { ...route, ...own }]);
  return [[route.path.replaceAll(/:(\w+)/g, '{$1}'), route]];
}

function operation(method: string, path: string, route: AnyRoute): object {
  const { summary, description, form, example, answer, answerSchema, answerType, binary, status = 200 } = route;
  const hasBody = example !== undefined || form !== undefined;
  const parameters = [...pathParameters(path, route), ...queryParameters(path, route)];
  const schema = answerSchema ? inputOf(answerSchema) : schemaOf(answer);
  const content = answer === undefined ? {} : { content: contentOf(schema, answer, answerType) };
  const answered = binary
    ? { description: 'The file', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } }
    : { description: answer === undefined ? 'Done' : 'OK', ...content };
  const isBatch = path === '/v1/batch/Products';
  return {
    operationId: operationIdOf(method, path),
    summary,
    tags: [tagOf(path)],
    ...(description !== undefined && { description }),
    security: SECURITY[route.access],
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && { requestBody: { required: true, content: bodyOf(route) } }),
    responses: {
      [status]: answered,
      ...mapped(route.alike ?? {}, (description) => ({ ...answered, description })),
      ...errorsOf({
        ...(hasBody && !isBatch && TOO_LARGE),
        ...(route.query && QUERY_INVALID),
        ...(route.body && BODY_INVALID),
        ...ERRORS_OF_ACCESS[route.access],
        ...route.errors,
      }),
    },
  };
}

function bodyOf({ form, body, bodySchema, example }: AnyRoute): object {
  if (form !== undefined) return { 'multipart/form-data': { schema: form } };
  return json(body ? inputOf(body) : (bodySchema ?? schemaOf(example, false)), example);
}

function pathParameters(path: string, route: AnyRoute): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...described(name, route),
  }));
}

/** Parameters of the definition that checks them; else those that are described and not in the path. */
function queryParameters(path: string, route: AnyRoute): object[] {
  if (route.query === undefined) {
    const names = Object.keys(route.parameters ?? {}).filter((name) => !path.includes(`{${name}}`));
    return names.map((name) => ({ name, in: 'query', ...described(name, route) }));
  }
  const { properties = {} } = inputOf(route.query) as { properties?: Record<string, { description?: string }> };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description: description ?? described(name, route).description,
    schema,
  }));
}

function described(name: string, { parameters }: AnyRoute): { description: string; schema: object } {
  const known = parameters?.[name] ?? PARAMETERS[name] ?? '';
  const [description, schema] = typeof known === 'string' ? [known, { type: 'string' }] : known;
  return { description, schema };
}

function webhook({ name, summary, example }: DocumentedEvent): object {
  const requestBody = { required: true, content: json(schemaOf(example), example) };
  return {
    post: {
      operationId: `on${name.replaceAll('_', '')}`,
      summary,
      requestBody,
      responses: { '2XX': { description: 'Delivered; anything else is tried three times' } },
    },
  };
}

/** `get /admin/orders/{number}` → `getAdminOrdersByNumber`. */
function operationIdOf(method: string, path: string): string {
  const words = path.replaceAll('{', 'by/').match(/[A-Za-z0-9]+/g) ?? [];
  return [method, ...words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))].join('');
}

/** `/admin/orders/{number}` → `admin`; the platform's by the first word below the version. */
function tagOf(path: string): string {
  const [first = '', second = ''] = path.split('/').slice(1);
  return /^v\d$/.test(first) ? second : first;
}

/** Input of a schema as JSON schema. */
function inputOf(schema: z.ZodType): object {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return readableSchema(shape);
}

function json(schema: object, example: unknown): object {
  return contentOf(schema, example);
}

function contentOf(schema: object, example: unknown, type = 'application/json'): object {
  return { [type]: { schema: readableSchema(schema), example } };
}

function errorsOf(errors: Readonly<Record<number, string>>): object {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return mapped(errors, (description) => ({ description, content }));
}

function mapped(meanings: Readonly<Record<number, string>>, by: (description: string) => object): object {
  return Object.fromEntries(Object.entries(meanings).map(([status, description]) => [status, by(description)]));
}
