import type { FastifyInstance } from 'fastify';

interface KnownRoute {
  readonly method: string;
  readonly pattern: RegExp;
}

/**
 * Answers a path that does not exist (404) and a method that a path does not have (405, with `Allow`) in words. The
 * operations guard comes before it, so that a stranger learns nothing about `/admin` and `/api`.
 */
export function explainUnknownRoutes(fastify: FastifyInstance): void {
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

/** `/v1/Orders/:orderNumber/status` as a regular expression. Nest's own catch-alls do not count as routes. */
function patternOf(url: string): RegExp {
  if (url.includes('*')) return /(?!)/;
  const segments = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[^\w]/g, String.raw`\$&`)));
  return new RegExp(`^${segments.join('/')}/?$`);
}
