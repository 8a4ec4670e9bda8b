import type { FastifyInstance } from 'fastify';
import { logRequests, type RequestLogServices } from './request-log.ts';
import { explainUnknownRoutes } from './unknown-routes.ts';

/** What Fastify must have before any route exists. */
export function prepareHttp(fastify: FastifyInstance, services: RequestLogServices): void {
  // Bodies stay bytes: digits and invalid JSON are the platform's to judge, and the log of calls keeps what was received.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  explainUnknownRoutes(fastify);
  logRequests(fastify, services);
}
