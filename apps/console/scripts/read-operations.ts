import { OPERATION_MEMBER, type OperationDefinition } from '@gondola/service-kit/http/operation';
import type { OpenApiDocument } from '@gondola/service-kit/http/openapi-document';

/** A route of an operations API with its definition. */
export interface DefinedRoute {
  readonly method: string;
  /** As in the app's OpenAPI document. */
  readonly path: string;
  readonly definition: OperationDefinition;
}

type Document = Pick<Awaited<ReturnType<OpenApiDocument['content']>>, 'paths'>;

/** The routes of an app's document below `/api`, each with the definition that its `@Operation` gives it. */
export function readOperations({ paths }: Document): DefinedRoute[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations as Readonly<Record<string, Readonly<Record<string, unknown>>>>).flatMap(
      ([method, operation]) => {
        const definition = operation[OPERATION_MEMBER] as OperationDefinition | undefined;
        return definition === undefined ? [] : [{ method: method.toUpperCase(), path, definition }];
      },
    ),
  );
}
