import { SetMetadata } from '@nestjs/common';

/** A schema and an example of it. */
export type Shown = readonly [schema: object, example: unknown];

/** What the OpenAPI document says of a route beside what its other decorators say: path, method, query, admin body. */
export interface Description {
  readonly summary: string;
  readonly description?: string;
  /** Descriptions of path variables and query parameters that are not described in `route-document.ts`. */
  readonly parameters?: Readonly<Record<string, Parameter>>;
  /** A body that no schema reads. */
  readonly body?: Shown;
  /** Example of a body that a schema reads. */
  readonly example?: unknown;
  readonly form?: object;
  /** Undefined where the answer has no body. */
  readonly answer?: Shown;
  /** Where it is not what Nest answers. */
  readonly status?: number;
  readonly binary?: true;
  readonly errors?: Readonly<Record<number, string>>;
  /** Names of security schemes that are all needed, none where a route is open; default the operations token. */
  readonly security?: readonly string[];
}

export type Parameter = string | readonly [description: string, schema: object];

/** Of all routes of a controller. */
export type CommonDescription = Pick<Description, 'errors' | 'security'>;

export const DESCRIPTION = 'openapi-description';

/** One description, or one for each path of the route; a path without one is not in the document. */
export function Describe(description: Description | Readonly<Record<string, Description>>): MethodDecorator {
  return SetMetadata(DESCRIPTION, description);
}

export function DescribeAll(common: CommonDescription): ClassDecorator {
  return SetMetadata(DESCRIPTION, common);
}
