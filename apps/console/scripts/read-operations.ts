import {
  COMMAND_MEMBER,
  type CommandRoute,
  OPERATION_MEMBER,
  type OperationDefinition,
} from '@gondola/service-kit/http/operation';
import type { OpenApiDocument } from '@gondola/service-kit/http/openapi-document';

/** A route of an operations API with its definition. */
export interface DefinedRoute {
  readonly method: string;
  /** As in the app's OpenAPI document. */
  readonly path: string;
  /** Names of the parameters of its query. */
  readonly query: readonly string[];
  readonly definition: OperationDefinition;
  /** Absent: no command of `gondola` calls it. */
  readonly command?: CommandRoute;
}

type Document = Pick<Awaited<ReturnType<OpenApiDocument['content']>>, 'paths'>;

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string }>;
  readonly [OPERATION_MEMBER]?: OperationDefinition;
  readonly [COMMAND_MEMBER]?: CommandRoute;
}

/** The routes of an app's document below `/api`, each with what its `@Operation` and `@CommandLine` give it. */
export function readOperations({ paths }: Document): DefinedRoute[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations as Readonly<Record<string, Operation>>).flatMap(([method, operation]) => {
      const { parameters = [], [OPERATION_MEMBER]: definition, [COMMAND_MEMBER]: command } = operation;
      if (definition === undefined) return [];
      const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      return [{ method: method.toUpperCase(), path, query, definition, ...(command !== undefined && { command }) }];
    }),
  );
}
