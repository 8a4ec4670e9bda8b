import { SetMetadata } from '@nestjs/common';

/**
 * Parts of a route's OpenAPI description that its other decorators (path, method, query, admin body) do not give.
 */
export interface Description {
  readonly summary: string;
  readonly description?: string;
  /** Descriptions of path variables and query parameters that `route-document.adapter.ts` does not describe. */
  readonly parameters?: Readonly<Record<string, Parameter>>;
  /** Example of a JSON body; also gives the schema if no schema validates the body. */
  readonly body?: unknown;
  readonly form?: object;
  /** Example of the answer, which also gives its schema; undefined without a body. */
  readonly answer?: unknown;
  /** Status of the answer, if it differs from Nest's default. */
  readonly status?: number;
  readonly binary?: true;
  readonly errors?: Readonly<Record<number, string>>;
  /**
   * Names of security schemes, all of which are required; empty for an open route; default: the operations token.
   */
  readonly security?: readonly string[];
}

export type Parameter = string | readonly [description: string, schema: object];

/** Description of all routes of a controller. */
export type CommonDescription = Pick<Description, 'errors' | 'security'>;

export const DESCRIPTION = 'openapi-description';

/** One description, or one for each path of the route; a path without one is not in the document. */
export function Describe(description: Description | Readonly<Record<string, Description>>): MethodDecorator {
  return SetMetadata(DESCRIPTION, description);
}

export function DescribeAll(common: CommonDescription): ClassDecorator {
  return SetMetadata(DESCRIPTION, common);
}
