import type { INestApplication, Type } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { getSchemaPath, loadSwagger } from './api-docs.ts';
import { ErrorAnswer } from './error.dto.ts';

/**
 * Additions to `/api/openapi.json` that decorators of controllers cannot express: routes outside Nest, security
 * schemes.
 */
export interface OpenApiPart {
  paths: Record<string, Record<string, unknown>>;
  /** DTO classes to which the paths refer by `getSchemaPath`. */
  models?: readonly Type[];
  schemas?: Record<string, unknown>;
  /**
   * Security schemes of routes without the operations token; an operation names its scheme in its own `security`.
   */
  securitySchemes?: Record<string, unknown>;
}

/** An answer in an `OpenApiPart`. */
export function answer(description: string, type: Type): object {
  return { description, content: { 'application/json': { schema: { $ref: getSchemaPath(type) } } } };
}

/** Error answers in an `OpenApiPart`: a description for each status. */
export function errorAnswers(meanings: Readonly<Record<number, string>>): Record<string, object> {
  const answers = Object.entries(meanings).map(([status, meaning]) => [status, answer(meaning, ErrorAnswer)] as const);
  return Object.fromEntries(answers);
}

const OPERATIONS_TOKEN = {
  type: 'http',
  scheme: 'bearer',
  description:
    'The value of OPERATIONS_TOKEN. Any other token is answered with 401; without OPERATIONS_TOKEN the operations API is off and answers 403',
} as const;

/** Answers that `guardOperations`, the database and Fastify give at a route, whatever its controller does. */
const GUARDED = errorAnswers({
  400: 'x-gondola-operator is no name, or the URL contains the character NUL',
  401: 'The operations token is missing or wrong',
  403: 'OPERATIONS_TOKEN is not set',
});
const STORING = errorAnswers({ 503: 'PostgreSQL does not answer at the moment; ask again later' });
const READING = errorAnswers({ 413: 'The body is too large', 415: 'The body is no JSON by its content type' });
/** Routes of every app, which need no database. */
const ABOUT_THE_APP = ['/api/info', '/api/openapi.json'];

interface Operation {
  readonly security?: unknown;
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, object>>;
}

/** `GET /api/openapi.json`: derived from controllers and DTO classes at the first request. */
export class OpenApiDocument {
  readonly #app: { readonly name: string; readonly version: string };
  readonly #parts: readonly OpenApiPart[];
  #nest: INestApplication | undefined;
  #content: Promise<OpenAPIObject> | undefined;

  constructor(app: { readonly name: string; readonly version: string }, parts: readonly OpenApiPart[]) {
    this.#app = app;
    this.#parts = parts;
  }

  /** Sets the app whose controllers are described; it exists only after its providers. */
  describe(nest: INestApplication): void {
    this.#nest = nest;
  }

  async content(): Promise<OpenAPIObject> {
    if (this.#nest === undefined) throw new Error('The OpenAPI document has no app to describe');
    this.#content ??= this.#derive(this.#nest);
    return this.#content;
  }

  async #derive(nest: INestApplication): Promise<OpenAPIObject> {
    const { DocumentBuilder, SwaggerModule } = await loadSwagger();
    const settings = new DocumentBuilder()
      .setOpenAPIVersion('3.1.0')
      .setTitle(`Gondola ${this.#app.name}`)
      .setVersion(this.#app.version)
      .addSecurity('operationsToken', OPERATIONS_TOKEN)
      .addSecurityRequirements('operationsToken')
      .build();
    const models = this.#parts.flatMap((part) => part.models ?? []);
    const { paths, components, ...document } = SwaggerModule.createDocument(nest, settings, {
      extraModels: [ErrorAnswer, ...models],
      autoTagControllers: false,
    });
    return {
      ...document,
      paths: withGuardAnswers(merged(paths, this.#parts, 'paths')),
      components: {
        ...components,
        schemas: merged(components?.schemas, this.#parts, 'schemas'),
        securitySchemes: merged(components?.securitySchemes, this.#parts, 'securitySchemes'),
      },
    };
  }
}

function withGuardAnswers(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const items = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, Operation>).map(([method, operation]) => {
      if (operation.security !== undefined) return [method, operation] as const;
      const { requestBody, responses } = operation;
      const answers = {
        ...GUARDED,
        ...(requestBody !== undefined && READING),
        ...(!ABOUT_THE_APP.includes(path) && STORING),
        ...responses,
      };
      return [method, { ...operation, responses: answers }] as const;
    });
    return [path, Object.fromEntries(operations)] as const;
  });
  return Object.fromEntries(items);
}

function merged<Derived extends object>(
  derived: Derived | undefined,
  parts: readonly OpenApiPart[],
  field: 'paths' | 'schemas' | 'securitySchemes',
): Derived {
  return Object.assign({}, derived, ...parts.map((part) => part[field])) as Derived;
}
