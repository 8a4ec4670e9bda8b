import type { OpenApiPart } from '@gondola/service-kit/http/openapi-document';
import { RequestMethod, type Type } from '@nestjs/common';
import { z } from 'zod';
import { DESCRIPTION, type CommonDescription, type Description, type Parameter } from './describe.decorator.ts';
import { FILE, INTEGER, schemaOf } from './schemas.ts';

/** Parameters with the same meaning in all routes. */
const PARAMETERS: Readonly<Record<string, Parameter>> = {
  contractAccountId: 'GUID of the merchant; optional if there is only one merchant',
  after: ['Entries behind this `seq`; 5,000 at most in one answer', INTEGER],
  reference: 'externalReference',
  number: ['Number of the order', INTEGER],
  orderNumber: ['Number of the order', INTEGER],
  orderId: 'GUID of the order, not its number',
};

/** Applies to every JSON body; app.module.ts sets the limit. */
const TOO_LARGE = { 413: 'The body is larger than 32 MiB' };

export const BODY_INVALID = { 400: 'The body does not fit; the message names all problems' };

/** Prefix of query parameters in Nest's metadata of a handler. */
const QUERY = '4:';

/** Controllers of a module and of the modules that it imports. */
export function controllersOf(module: Type): Set<Type> {
  const [own, imported] = ['controllers', 'imports'].map((key) => (Reflect.getMetadata(key, module) ?? []) as Type[]);
  return new Set([...(imported ?? []).flatMap((one) => [...controllersOf(one)]), ...(own ?? [])]);
}

/**
 * OpenAPI document of an app's routes, from their decorators alone. A handler without a description is an error.
 */
export function routeDocument(app: Type): OpenApiPart {
  const paths: OpenApiPart['paths'] = {};
  for (const controller of controllersOf(app)) {
    for (const [name, { value: handler }] of Object.entries(Object.getOwnPropertyDescriptors(controller.prototype))) {
      if (name === 'constructor' || !Reflect.hasMetadata('method', handler as object)) continue;
      const method = RequestMethod[Reflect.getMetadata('method', handler as object) as number] ?? '';
      for (const [path, description] of described(controller, handler as object)) {
        paths[path] = { ...paths[path], [method.toLowerCase()]: operation(path, description, controller, name) };
      }
    }
  }
  return { paths, hasControllers: true, securitySchemes: SECURITY_SCHEMES };
}

const SECURITY_SCHEMES = {
  basic: { type: 'http', scheme: 'basic' },
  contractAccountId: {
    type: 'apiKey',
    in: 'header',
    name: 'x-contractAccountId',
    description: 'GUID of the merchant',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'API key of the core service' },
};

function described(controller: Type, handler: object): (readonly [path: string, description: Description])[] {
  const description = Reflect.getMetadata(DESCRIPTION, handler) as
    | Description
    | Readonly<Record<string, Description>>
    | undefined;
  if (description === undefined) throw new Error(`A route of ${controller.name} has no description`);
  if (!('summary' in description)) return Object.entries(description);
  const parts = [Reflect.getMetadata('path', controller), Reflect.getMetadata('path', handler)] as string[];
  const path = parts.map((part) => part.replaceAll(/^\/+|\/+$/g, '')).filter((part) => part !== '');
  return [[`/${path.join('/')}`.replaceAll(/:(\w+)/g, '{$1}'), description as Description]];
}

function operation(path: string, description: Description, controller: Type, handler: string): object {
  const common = (Reflect.getMetadata(DESCRIPTION, controller) ?? {}) as CommonDescription;
  const read = argumentsOf(controller, handler);
  const { summary, form, body, answer, binary, status = statusOf(controller, handler) } = description;
  const security = description.security ?? common.security;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, in: 'path', required: true })),
    ...read.query.map((name) => ({ name, in: 'query' })),
  ].map(({ name, ...place }) => ({ name, ...place, ...parameter(name, description) }));
  const answered = binary
    ? { description: 'The file', content: { '*/*': { schema: FILE } } }
    : {
        description: answer === undefined ? 'Done' : 'OK',
        ...(answer !== undefined && { content: json(schemaOf(answer), answer) }),
      };
  return {
    summary,
    ...(description.description !== undefined && { description: description.description }),
    ...(security && { security: security.length === 0 ? [] : [requirement(security)] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: json(read.schema ? taken(read.schema) : schemaOf(body, false), body) },
    }),
    ...(form && { requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } } }),
    responses: {
      [status]: answered,
      ...errorsOf({
        ...(body !== undefined && TOO_LARGE),
        ...(read.schema && BODY_INVALID),
        ...common.errors,
        ...description.errors,
      }),
    },
  };
}

/** Nest's status: 201 for a POST without another status. */
function statusOf(controller: Type, handler: string): number {
  const method = (controller.prototype as Record<string, object>)[handler] ?? {};
  const code = Reflect.getMetadata('__httpCode__', method) as number | undefined;
  return code ?? (Reflect.getMetadata('method', method) === RequestMethod.POST ? 201 : 200);
}

function parameter(name: string, { parameters }: Description): object {
  const known = parameters?.[name] ?? PARAMETERS[name] ?? '';
  const [description, schema] = typeof known === 'string' ? [known, { type: 'string' }] : known;
  return { description, schema };
}

/** Names of the query parameters of a handler, and the schema of its body. */
function argumentsOf(controller: Type, handler: string): { query: string[]; schema: z.ZodType | undefined } {
  const args = (Reflect.getMetadata('__routeArguments__', controller, handler) ?? {}) as Record<
    string,
    { data?: string | { shape: z.ZodType } }
  >;
  const data = Object.values(args).map((argument) => argument.data);
  return {
    query: Object.entries(args).flatMap(([key, argument]) =>
      key.startsWith(QUERY) && typeof argument.data === 'string' ? [argument.data] : [],
    ),
    schema: data.find((one) => typeof one === 'object')?.shape,
  };
}

/** Input of a schema as JSON schema. */
function taken(schema: z.ZodType): object {
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return shape;
}

function json(schema: object, example: unknown): object {
  return { 'application/json': { schema, example } };
}

function requirement(schemes: readonly string[]): object {
  return Object.fromEntries(schemes.map((scheme) => [scheme, []]));
}

function errorsOf(errors: Readonly<Record<number, string>>): object {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(Object.entries(errors).map(([status, description]) => [status, { description, content }]));
}
