import { BadRequestException, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isJsonArray, parseExact, type Json } from '../values/exact-json.ts';

const NO_BYTES = Buffer.alloc(0);

/** Bytes of the body; empty without a body. Every body arrives as bytes (`prepare-http.adapter.ts`). */
export function bodyBytes({ body }: Pick<FastifyRequest, 'body'>): Buffer {
  return Buffer.isBuffer(body) ? body : NO_BYTES;
}

/**
 * The body as JSON with exact digits. Invalid JSON is answered 400, or is undefined if the controller answers it;
 * an absent optional body is null.
 */
export const JsonBody = createParamDecorator(
  (of: 'optional' | 'of any kind' | undefined, context: ExecutionContext): Json | undefined => {
    const bytes = bodyBytes(context.switchToHttp().getRequest<FastifyRequest>());
    const body = of === 'optional' && bytes.length === 0 ? null : jsonOf(bytes);
    if (body === undefined && of !== 'of any kind') throw notJson();
    return body;
  },
);

/** The items of a batch; JSON other than a list has no items and no effect. */
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

/** The body, validated by a schema; an invalid one is answered 400, with all problems. An absent body is `{}`. */
export function ValidBody(shape: z.ZodType): ParameterDecorator {
  // Wrapped, because Nest mistakes any object with a method `transform`, such as a schema, for a pipe; not named
  // `schema`, which is Nest's own option.
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
