import { STATUS_CODES } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isPlatformRoute, logRequests, type RequestLogServices } from '../logs/request-log.adapter.ts';
import type { Behaviour } from '../switches/behaviour.ts';

/** Prepares Fastify before any route exists. */
export function prepareHttp(
  fastify: FastifyInstance,
  services: RequestLogServices & { behaviour: () => Behaviour },
): void {
  // Bodies stay bytes: the platform itself judges digits and invalid JSON, and the log of calls holds the received
  // bytes.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  // Forms may be large: their routes read them as they arrive, after the credentials are checked.
  fastify.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
  explainUnknownRoutes(fastify);
  logRequests(fastify, services);
  shapeErrors(fastify, services.behaviour);
}

interface KnownRoute {
  readonly method: string;
  readonly pattern: RegExp;
}

/**
 * Answers a path that does not exist (404) and a method that a path does not have (405, with `Allow`) with a
 * sentence. The operations guard runs first, so that an unauthenticated caller learns nothing about `/admin` and
 * `/api`.
 */
function explainUnknownRoutes(fastify: FastifyInstance): void {
  const known: KnownRoute[] = [];
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) known.push({ method: one, pattern: patternOf(url) });
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done();
      return;
    }
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
    if (methods.size === 0) {
      void reply.status(404).send(errorBody('ROUTE_UNKNOWN', `There is no route ${request.method} ${path}`));
      return;
    }
    const allowed = [...methods].toSorted().join(', ');
    void reply
      .status(405)
      .header('allow', allowed)
      .send(errorBody('METHOD_NOT_ALLOWED', `${path} takes ${allowed}, not ${request.method}`));
  });
}

function errorBody(code: string, message: string): { error: { code: string; message: string } } {
  return { error: { code, message } };
}

/** `/v1/Orders/:orderNumber/status` as a regular expression. Nest's own catch-all routes do not count. */
function patternOf(url: string): RegExp {
  if (url.includes('*')) return /(?!)/;
  const segments = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[^\w]/g, String.raw`\$&`)));
  return new RegExp(`^${segments.join('/')}/?$`);
}

/**
 * Writes the errors of the platform's routes in the form of the switch `errorBody`; their message stays the same.
 */
function shapeErrors(fastify: FastifyInstance, behaviour: () => Behaviour): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { errorBody } = behaviour();
    const message = messageOf(payload);
    if (errorBody === 'object' || reply.statusCode < 400 || message === undefined || !isPlatformRoute(request.url)) {
      done(null, payload);
      return;
    }
    if (errorBody === 'text') {
      void reply.header('content-type', 'text/plain; charset=utf-8');
      done(null, message);
      return;
    }
    const { statusCode: status } = reply;
    void reply.header('content-type', 'application/problem+json; charset=utf-8');
    done(
      null,
      JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail: message }),
    );
  });
}

/** Message of `{ error: { message } }`; undefined for any other answer. */
function messageOf(payload: unknown): string | undefined {
  if (typeof payload !== 'string' || !payload.startsWith('{"error":')) return undefined;
  const { error } = JSON.parse(payload) as { error: { message?: unknown } };
  return typeof error.message === 'string' ? error.message : undefined;
}
