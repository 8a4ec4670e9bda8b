import type { Database } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LoggedPart } from '../files/form.adapter.ts';
import { bodyBytes } from '../http/body.decorator.ts';
import { addRequest } from './requests.repository.ts';

export interface RequestLogServices {
  readonly database: Database;
  readonly logger: Logger;
}

const PLATFORM_ROUTES = /^\/v\d+(\/|$)/;

/** True for a call to the platform, false for one to the sandbox's own routes. */
export function isPlatformRoute(url: string): boolean {
  return PLATFORM_ROUTES.test(splitUrl(url).path);
}

const formBodies = new WeakMap<FastifyRequest, Buffer>();

/** Logs a form by its parts, without the contents of files. */
export function rememberForm(request: FastifyRequest, parts: readonly LoggedPart[]): void {
  formBodies.set(request, Buffer.from(JSON.stringify({ parts })));
}

/**
 * Logs every call to the platform's routes before it is answered, also those with wrong credentials or paths, so
 * that a caller with an answer finds its call in the log.
 */
export function logRequests(fastify: FastifyInstance, services: RequestLogServices): void {
  fastify.addHook('onSend', async (request, reply, payload) => {
    await logCall(services, request, reply.statusCode);
    return payload;
  });
}

/** `status` is null for a call that is never answered. */
export async function logCall(
  services: RequestLogServices,
  request: FastifyRequest,
  status: number | null,
): Promise<void> {
  const { path, query } = splitUrl(request.url);
  if (!isPlatformRoute(path)) return;
  try {
    const body = formBodies.get(request) ?? bodyBytes(request);
    const call = { method: request.method, path, query, status, body };
    await addRequest(services.database, call);
  } catch (err) {
    // Without its database the sandbox answers with errors, which a failing log must not suppress.
    services.logger.warn({ err }, 'A call could not be logged');
  }
}

function splitUrl(url: string): { path: string; query: string | null } {
  const at = url.indexOf('?');
  return at === -1 ? { path: url, query: null } : { path: url.slice(0, at), query: url.slice(at + 1) };
}
