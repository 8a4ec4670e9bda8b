import cookies from '@fastify/cookie';
import files from '@fastify/static';
import { errorBody } from '@gondola/service-kit/http/error-body';
import type { FastifyInstance } from 'fastify';
import { securityHeaders } from './security-headers.ts';

export interface PageOptions {
  /** Folder of the built page. */
  readonly folder: string;
  /** True behind https. */
  readonly isSecure: boolean;
}

/** Paths of the server, at which no page is. */
const SERVER_PATH = /^(?:api|apps|actions|health|metrics|overview|sessions?)(?:\/|$)/;
/** Assets, files beside the page, and what would be outside; a dot further down is part of a reference. */
const FILE_PATH = /^(?:assets\/.*|\.\.\/.*|[^/]*\.[^/]*)$/;
const A_YEAR_S = 31_536_000;

/** Prepares Fastify before any route exists: headers, cookies, and the files of the page. */
export async function prepareHttp(fastify: FastifyInstance, { folder, isSecure }: PageOptions): Promise<void> {
  const headers = securityHeaders({ isSecure });
  fastify.addHook('onRequest', (_request, reply, done) => {
    // Answers hold what one operator may see; the files of the page set their own value.
    void reply.headers(headers).header('cache-control', 'no-store');
    done();
  });
  await fastify.register(cookies);
  await fastify.register(files, {
    root: folder,
    serve: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (reply, path) => void reply.header('cache-control', cachingOf(path)),
  });
  fastify.get('/*', (request, reply) => {
    const { '*': path } = request.params as { readonly '*': string };
    if (SERVER_PATH.test(path)) return reply.status(404).send(errorBody(404));
    return reply.sendFile(FILE_PATH.test(path) ? path : 'index.html');
  });
}

/** The names of assets contain a hash of their content; all other files are asked for again each time. */
function cachingOf(path: string): string {
  return path.includes('/assets/') ? `public, max-age=${A_YEAR_S}, immutable` : 'no-cache';
}
