import { OPEN } from './answer-fields.ts';
import { PatternParameter, WholeNumberParameter } from './request-fields.ts';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, getSchemaPath } from './api-docs.ts';

export interface PageOf<Entry> {
  readonly entries: readonly Entry[];
  /** Value of `before` for the next page; null on the last page. */
  readonly next: string | null;
}

/** Requested page of a list: entries older than `before`, at most `limit`. */
export interface PageRequest {
  readonly before: string;
  readonly limit: number;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
/** Above every id: PostgreSQL's largest bigint. */
const NEWEST = '9223372036854775807';
/** Form of an id in a request. */
export const ID_FORM = '^[0-9]{1,18}$';
const ID = new RegExp(ID_FORM);

/** True if a text has the form of an id; another one names nothing. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** Parameters of a list. */
export class PageQuery {
  @PatternParameter('Value of `next` from the page before', ID_FORM, 'before is the `next` of the page before it')
  readonly before?: string;

  @WholeNumberParameter('Maximum number of entries', { minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  readonly limit?: string;
}

/** Requested page of a query; by default the newest entries. */
export function pageRequest({ before = NEWEST, limit }: PageQuery): PageRequest {
  return { before, limit: Number(limit ?? DEFAULT_LIMIT) };
}

/** A page made from a query for one entry more than requested. */
export function pageOf<Entry extends { readonly id: string }>(found: readonly Entry[], limit: number): PageOf<Entry> {
  const entries = found.slice(0, limit);
  return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/** Answer of a route that lists entries. */
export function ApiPageOf(entry: Type): MethodDecorator {
  const next = {
    ...OPEN,
    type: ['string', 'null'],
    description: 'Value of `before` for the next page; null on the last page',
  };
  const entries = { ...OPEN, type: 'array', items: { $ref: getSchemaPath(entry) } };
  return applyDecorators(
    ApiExtraModels(entry),
    ApiOkResponse({
      description: 'A page of entries',
      schema: { type: 'object', required: ['entries', 'next'], properties: { entries, next } },
    }),
  );
}
