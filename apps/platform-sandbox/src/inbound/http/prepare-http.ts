import type { Database } from '@gondola/service-kit/database';
import type { Logger } from '@gondola/service-kit/logger';
import type { FastifyInstance } from 'fastify';
import { logRequests } from './request-log.ts';
import { explainUnknownRoutes } from './unknown-routes.ts';

export interface HttpServices {
  readonly database: Database;
  readonly logger: Logger;
}

/** What Fastify must have before any route exists. */
export function prepareHttp(fastify: FastifyInstance, services: HttpServices): void {
  // Bodies stay bytes: digits and invalid JSON are the platform's to judge, and the log of calls keeps what was received.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  explainUnknownRoutes(fastify);
  logRequests(fastify, services);
}
