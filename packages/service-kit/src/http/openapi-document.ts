import type { INestApplication, Type } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorAnswer } from './error.dto.ts';

/** What decorators of controllers cannot say in `/api/openapi.json`: routes outside Nest, security schemes. */
export interface OpenApiPart {
  paths: Record<string, Record<string, unknown>>;
  /** True where the paths are also those of the app's controllers, which then are not derived. */
  hasControllers?: boolean;
  /** DTO classes that the paths name by `getSchemaPath`. */
  models?: readonly Type[];
  schemas?: Record<string, unknown>;
  /** Of routes that are not guarded by the operations token; an operation names its scheme by its own `security`. */
  securitySchemes?: Record<string, unknown>;
}

/** An answer in an `OpenApiPart`. */
export function answer(description: string, type: Type): object {
  return { description, content: { 'application/json': { schema: { $ref: getSchemaPath(type) } } } };
}

/** Error answers in an `OpenApiPart`: what each status means. */
export function errorAnswers(meanings: Readonly<Record<number, string>>): Record<string, object> {
  const answers = Object.entries(meanings).map(([status, meaning]) => [status, answer(meaning, ErrorAnswer)] as const);
  return Object.fromEntries(answers);
}

const OPERATIONS_TOKEN = {
  type: 'http',
  scheme: 'bearer',
  description: 'OPERATIONS_TOKEN. Another one is answered 401; where none is set, the operations API is off: 403',
} as const;

/** `GET /api/openapi.json`: derived from controllers and DTO classes when it is first asked for. */
export class OpenApiDocument {
  readonly #app: { readonly name: string; readonly version: string };
  readonly #parts: readonly OpenApiPart[];
  #nest: INestApplication | undefined;
  #content: OpenAPIObject | undefined;

  constructor(app: { readonly name: string; readonly version: string }, parts: readonly OpenApiPart[]) {
    this.#app = app;
    this.#parts = parts;
  }

  /** Names the app whose controllers are described: it exists after its providers. */
  describe(nest: INestApplication): void {
    this.#nest = nest;
  }

  get content(): OpenAPIObject {
    if (this.#nest === undefined) throw new Error('The OpenAPI document has no app to describe');
    this.#content ??= this.#derive(this.#nest);
    return this.#content;
  }

  #derive(nest: INestApplication): OpenAPIObject {
    const settings = new DocumentBuilder()
      .setOpenAPIVersion('3.1.0')
      .setTitle(`Gondola ${this.#app.name}`)
      .setVersion(this.#app.version)
      .addBearerAuth(OPERATIONS_TOKEN, 'operationsToken')
      .addSecurityRequirements('operationsToken')
      .build();
    const models = this.#parts.flatMap((part) => part.models ?? []);
    const { paths, components, ...document } = SwaggerModule.createDocument(nest, settings, {
      extraModels: [ErrorAnswer, ...models],
      autoTagControllers: false,
      onlyIncludeDecoratedEndpoints: this.#parts.some((part) => part.hasControllers),
    });
    return {
      ...document,
      paths: merged(paths, this.#parts, 'paths'),
      components: {
        ...components,
        schemas: merged(components?.schemas, this.#parts, 'schemas'),
        securitySchemes: merged(components?.securitySchemes, this.#parts, 'securitySchemes'),
      },
    };
  }
}

function merged<Derived extends object>(
  derived: Derived | undefined,
  parts: readonly OpenApiPart[],
  field: 'paths' | 'schemas' | 'securitySchemes',
): Derived {
  return Object.assign({}, derived, ...parts.map((part) => part[field])) as Derived;
}
