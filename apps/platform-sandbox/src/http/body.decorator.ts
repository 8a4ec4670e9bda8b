import { BadRequestException, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isJsonArray, parseExact, type Json } from '../values/exact-json.ts';

const NO_BYTES = Buffer.alloc(0);

/** The body's bytes; none when there is no body. Every body arrives as bytes (`prepare-http.adapter.ts`). */
export function bodyBytes({ body }: Pick<FastifyRequest, 'body'>): Buffer {
  return Buffer.isBuffer(body) ? body : NO_BYTES;
}

/**
 * The body as JSON with exact digits. What is not JSON is answered 400, or is undefined where the controller answers
 * that itself; no body is null where it is optional.
 */
export const JsonBody = createParamDecorator(
  (of: 'optional' | 'of any kind' | undefined, context: ExecutionContext): Json | undefined => {
    const bytes = bodyBytes(context.switchToHttp().getRequest<FastifyRequest>());
    const body = of === 'optional' && bytes.length === 0 ? null : jsonOf(bytes);
    if (body === undefined && of !== 'of any kind') throw notJson();
    return body;
  },
);

/** The items of a batch; JSON that is no list has none, and nothing comes of it. */
export const BatchBody = createParamDecorator((_: unknown, context: ExecutionContext): readonly Json[] => {
  const body = jsonOf(bodyBytes(context.switchToHttp().getRequest<FastifyRequest>()));
  if (body === undefined) throw notJson();
  return isJsonArray(body) ? body : [];
});

const ReadBySchema = createParamDecorator(({ shape }: { shape: z.ZodType }, context: ExecutionContext): unknown => {
  const bytes = bodyBytes(context.switchToHttp().getRequest<FastifyRequest>());
  const result = shape.safeParse(bytes.length === 0 ? {} : plainJson(bytes));
  if (result.success) return result.data;
  throw new BadRequestException({ code: 'BODY_INVALID', message: z.prettifyError(result.error) });
});

/** The body, read by a schema; what does not fit is answered 400, with all problems. No body is `{}`. */
export function ValidBody(shape: z.ZodType): ParameterDecorator {
  // Wrapped, because Nest takes anything with a method `transform`, as schemas have, for a pipe; and not as `schema`,
  // its own option.
  return ReadBySchema({ shape });
}

function jsonOf(bytes: Buffer): Json | undefined {
  try {
    return parseExact(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function plainJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    throw notJson();
  }
}

function notJson(): BadRequestException {
  return new BadRequestException({ code: 'NOT_JSON', message: 'The body is not JSON' });
}
