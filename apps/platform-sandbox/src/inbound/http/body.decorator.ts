import { BadRequestException, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parseExact, type Json } from '../../domain/exact-json.ts';

const NO_BYTES = Buffer.alloc(0);

/** The body's bytes; none when there is no body. Every body arrives as bytes (`prepare-http`). */
export function bodyBytes({ body }: Pick<FastifyRequest, 'body'>): Buffer {
  return Buffer.isBuffer(body) ? body : NO_BYTES;
}

/** The body as JSON with exact digits, or undefined when it is not JSON: a controller that answers that itself. */
export const JsonOrNothing = createParamDecorator((_: unknown, context: ExecutionContext): Json | undefined =>
  jsonOf(bodyBytes(context.switchToHttp().getRequest<FastifyRequest>())),
);

/** The body as JSON with exact digits; anything else is answered 400. */
export const JsonBody = createParamDecorator((_: unknown, context: ExecutionContext): Json => {
  const body = jsonOf(bodyBytes(context.switchToHttp().getRequest<FastifyRequest>()));
  if (body === undefined) throw notJson();
  return body;
});

/** As {@link JsonBody}; null where there is no body. */
export const OptionalJsonBody = createParamDecorator((_: unknown, context: ExecutionContext): Json => {
  const bytes = bodyBytes(context.switchToHttp().getRequest<FastifyRequest>());
  const body = bytes.length === 0 ? null : jsonOf(bytes);
  if (body === undefined) throw notJson();
  return body;
});

const ReadBySchema = createParamDecorator(({ shape }: { shape: z.ZodType }, context: ExecutionContext): unknown => {
  const bytes = bodyBytes(context.switchToHttp().getRequest<FastifyRequest>());
  const result = shape.safeParse(bytes.length === 0 ? {} : plainJson(bytes));
  if (result.success) return result.data;
  throw new BadRequestException({ code: 'BODY_INVALID', message: z.prettifyError(result.error) });
});

/**
 * The body of an admin call, read by a schema; what does not fit is answered 400, with all problems. No body is `{}`.
 */
export function AdminBody(shape: z.ZodType): ParameterDecorator {
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
