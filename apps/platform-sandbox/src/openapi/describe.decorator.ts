import { SetMetadata } from '@nestjs/common';

/** What the OpenAPI document says of a route beside what its other decorators say: path, method, query, admin body. */
export interface Description {
  readonly summary: string;
  readonly description?: string;
  /** Descriptions of path variables and query parameters that are not described in `route-document.adapter.ts`. */
  readonly parameters?: Readonly<Record<string, Parameter>>;
  /** Example of a JSON body, which shows its schema too unless one reads it. */
  readonly body?: unknown;
  readonly form?: object;
  /** Example of the answer, which shows its schema too; undefined where it has no body. */
  readonly answer?: unknown;
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
