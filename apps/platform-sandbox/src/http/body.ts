import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isJsonArray, parseExact, type Json } from '../values/exact-json.ts';
import { didYouMean, nearWord } from '../values/near-word.ts';
import { badRequest, type HttpError } from './http-error.ts';

const NO_BYTES = Buffer.alloc(0);

/** Bytes of the body; empty without a body. Every body arrives as bytes. */
export function bodyBytes({ body }: Pick<FastifyRequest, 'body'>): Buffer {
  return Buffer.isBuffer(body) ? body : NO_BYTES;
}

/** The body as JSON with exact digits; undefined if it is no JSON. */
export function anyBody(request: Pick<FastifyRequest, 'body'>): Json | undefined {
  try {
    return parseExact(bodyBytes(request).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The body as JSON with exact digits. Throws a 400; an absent body is `otherwise`, if that is given. */
export function jsonBody(request: Pick<FastifyRequest, 'body'>, otherwise?: null): Json {
  if (otherwise === null && bodyBytes(request).length === 0) return null;
  const body = anyBody(request);
  if (body === undefined) throw notJson();
  return body;
}

/** The items of a batch; JSON other than a list has no items and no effect. */
export function batchBody(request: Pick<FastifyRequest, 'body'>): readonly Json[] {
  const body = jsonBody(request);
  return isJsonArray(body) ? body : [];
}

/**
 * The body, checked by a schema; throws a 400 with all problems. An absent body is `{}`. The platform ignores unknown
 * keys, whatever they look like; `spelling` tells whether nearly known ones are a problem.
 */
export function checkedBody<T>(
  request: Pick<FastifyRequest, 'body'>,
  schema: z.ZodType<T>,
  spelling: 'checked' | 'ignored',
): T {
  const bytes = bodyBytes(request);
  const value = bytes.length === 0 ? {} : plainJson(bytes);
  const result = schema.safeParse(value);
  const misspelt = spelling === 'checked' ? misspeltIn(value, schema) : [];
  if (result.success && misspelt.length === 0) return result.data;
  const problems = result.success ? [] : [z.prettifyError(result.error)];
  throw badRequest('BODY_INVALID', [...misspelt, ...problems].join('\n'));
}

/** The query, checked by a schema; throws a 400 with the first problem. */
export function checkedQuery<T>(query: unknown, schema: z.ZodType<T>): T {
  const misspelt = misspeltIn(query, schema);
  if (misspelt.length > 0) throw badRequest('QUERY_INVALID', misspelt.join('\n'));
  const result = schema.safeParse(query);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw badRequest('QUERY_INVALID', `${issue?.path.join('.')} ${issue?.message}`);
}

/** Unknown keys that are nearly the name of a known one: their values would silently have no effect. */
function misspeltIn(value: unknown, schema: z.ZodType): string[] {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  const known = Object.keys(schema.shape);
  return Object.keys(value).flatMap((key) =>
    known.includes(key) || nearWord(key, known) === undefined
      ? []
      : [`unknown field \`${key}\`${didYouMean(key, known)}`],
  );
}

function plainJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    throw notJson();
  }
}

function notJson(): HttpError {
  return badRequest('NOT_JSON', 'The body is not JSON');
}
