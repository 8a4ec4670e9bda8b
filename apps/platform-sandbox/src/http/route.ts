import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { CoreDirective } from '../core/operation.ts';
import type { TenantRow } from '../tenants/tenants.service.ts';

/** Effect of faults on what a read shows. */
export interface Reading {
  /** Age of the state that is shown, in milliseconds; 0: the present one. */
  readonly lagMs: number;
  /** True: 1300 for an order whose items were recalculated. */
  readonly shows1300: boolean;
}

/** Merchant of a call's credentials, and the effect of faults on what the call queues and on what it reads. */
export type Caller = Pick<TenantRow, 'contractAccountId' | 'shop'> & {
  readonly directive: CoreDirective;
  readonly reading: Reading;
};

/** A call as a route sees it. */
export interface Call<Body = unknown, Query = Readonly<Record<string, string>>> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Set for routes of the integration API. */
  readonly caller: Caller;
}

export type Parameter = string | readonly [description: string, schema: object];

/**
 * A route: what it does, and all that the OpenAPI document says of it. `body` and `query` are checked by the very
 * definitions that the document shows.
 */
export interface Route<Body = never, Query = never> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As Fastify writes it, `/v1/Orders/:orderNumber/status`. */
  readonly path: string;
  /**
   * Who may call: a merchant with Basic credentials, whom faults meet; one with an API key of the core; whoever may use
   * the admin API; anybody.
   */
  readonly access: 'merchant' | 'core' | 'admin' | 'operations' | 'open';
  readonly summary: string;
  readonly description?: string;
  /** Descriptions of path variables and query parameters. */
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  /** JSON schema of a body that the core checks later. */
  readonly bodySchema?: object;
  /** Example of the body. */
  readonly example?: unknown;
  /** Schema of a form. */
  readonly form?: object;
  /** Example of the answer, which also gives its schema; undefined without a body. */
  readonly answer?: unknown;
  /** Schema of the answer, where its example does not show all values. */
  readonly answerSchema?: z.ZodType;
  /** Media type of an answer that is text and no JSON. */
  readonly answerType?: string;
  /** Status of the answer; default 200. */
  readonly status?: number;
  readonly binary?: true;
  readonly errors?: Readonly<Record<number, string>>;
  /** Further statuses of answers of the same form. */
  readonly alike?: Readonly<Record<number, string>>;
  /** A route that only queues: the core carries out faults, and a switch decides about an answer that is not shown. */
  readonly queues?: 'answer shown' | 'answer not shown';
  /** A read that a fault may show as it was some time ago. */
  readonly shows?: 'order' | 'product';
  /** A read of whose answer the document shows nothing. */
  readonly isAnswerOpen?: true;
  /** A missing merchant in the header is a wrong input of this route, not missing credentials. */
  readonly isTenantInput?: true;
  /** Answers about the process and not about the shop: also when the journal cannot be written. */
  readonly isOfProcess?: true;
  /** Runs before the credentials are checked. */
  readonly first?: (request: FastifyRequest) => void;
  /** The paths of the document, if they differ, each with its summary and example. */
  readonly documented?: Readonly<
    Record<string, { readonly summary: string; readonly example: unknown; readonly bodySchema?: object }>
  >;
  readonly handle: (call: Call<Body, Query>) => unknown;
}

/** A route whose body and query only its own handler knows. */
export type AnyRoute = Omit<Route, 'body' | 'query' | 'handle'> & {
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  readonly handle: (call: Call<never, never>) => unknown;
};

/** Gives the handler the types of its own body and query. */
export function route<Body = unknown, Query = Readonly<Record<string, string>>>(
  definition: Route<Body, Query>,
): AnyRoute {
  return definition;
}

/** An answer that is no JSON value: its bytes as they are. */
export class Raw {
  constructor(
    readonly content: string | Buffer | NodeJS.ReadableStream,
    readonly type: string,
    readonly length?: number,
  ) {}
}

/** A JSON text as an answer. */
export function jsonText(text: string): Raw {
  return new Raw(text, 'application/json; charset=utf-8');
}
