import type { FastifyInstance } from 'fastify';
import type { Behaviour } from '../../domain/behaviour.ts';
import { shapeErrors } from './error-bodies.ts';
import { logRequests, type RequestLogServices } from './request-log.ts';
import { explainUnknownRoutes } from './unknown-routes.ts';

/** What Fastify must have before any route exists. */
export function prepareHttp(
  fastify: FastifyInstance,
  services: RequestLogServices & { behaviour: () => Behaviour },
): void {
  // Bodies stay bytes: digits and invalid JSON are the platform's to judge, and the log of calls keeps what was
  // received.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  // Forms may be large: they are read as they arrive, by the routes that take them, after the credentials were checked.
  fastify.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
  explainUnknownRoutes(fastify);
  logRequests(fastify, services);
  shapeErrors(fastify, services.behaviour);
}
