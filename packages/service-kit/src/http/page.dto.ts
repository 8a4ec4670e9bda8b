import { Must, QueryParameter } from './request-fields.ts';
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';

export interface PageOf<Entry> {
  readonly entries: readonly Entry[];
  /** To be given as `before` for the next page; null on the last one. */
  readonly next: string | null;
}

/** Which part of a list is wanted: what is older than `before`, and so many. */
export interface PageRequest {
  readonly before: string;
  readonly limit: number;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
/** Above every id: PostgreSQL's largest bigint. */
const NEWEST = '9223372036854775807';
const ID = /^\d{1,18}$/;

/** Parameters of a list. */
export class PageQuery {
  @QueryParameter('`next` of the page before')
  @Must((text) => ID.test(String(text)), 'before is the `next` of the page before it')
  readonly before?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: 'At most so many',
  })
  @IsOptional()
  @Must(isWholeNumber, `limit is a whole number from 1 to ${MAX_LIMIT}`)
  readonly limit?: string;
}

/** The part that a query asks for; the newest entries where it says nothing. */
export function pageRequest({ before = NEWEST, limit }: PageQuery): PageRequest {
  return { before, limit: Math.min(Number(limit ?? DEFAULT_LIMIT), MAX_LIMIT) };
}

/** A page of what was found when one entry more than wanted was asked for. */
export function pageOf<Entry extends { readonly id: string }>(found: readonly Entry[], limit: number): PageOf<Entry> {
  const entries = found.slice(0, limit);
  return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/** The answer of a route that lists entries. */
export function ApiPageOf(entry: Type): MethodDecorator {
  const next = { type: ['string', 'null'], description: 'For `before`; null on the last page' };
  const entries = { type: 'array', items: { $ref: getSchemaPath(entry) } };
  return applyDecorators(
    ApiExtraModels(entry),
    ApiOkResponse({
      description: 'A page',
      schema: { type: 'object', required: ['entries', 'next'], properties: { entries, next } },
    }),
  );
}

function isWholeNumber(text: unknown): boolean {
  return Number.isInteger(Number(text)) && Number(text) >= 1;
}
