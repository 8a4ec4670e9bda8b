import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { HttpConnections } from './http-connections.ts';
import type { RequestTrace } from './trace.ts';

/**
 * A route that is taken before Fastify sees the request. For one that is asked thousands of times a second and needs nothing of Fastify: its
 * way to a route and back is as long as Node's own. Limits on headers and on time are the server's, and hold all the same.
 */
export interface DirectRoute {
  /** The route's pattern, for the log, if this request is for it; null leaves the request to Fastify. */
  patternOf(request: IncomingMessage): string | null;
  /** Answers it, whatever happens; must not throw. `traceparent` is the request's own span, as with Fastify's requests. */
  take(request: IncomingMessage, response: ServerResponse, traceparent: string): void;
}

/** What every request has, however it is served. */
export interface AroundRequests {
  readonly connections: HttpConnections;
  readonly trace: RequestTrace;
}

/** Puts the route in front of whoever answers this server's requests now. */
export function serveDirectly(server: Server, route: DirectRoute, { connections, trace }: AroundRequests): void {
  const others = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const pattern = route.patternOf(request);
    if (pattern === null) return others.forEach((listener) => listener.call(server, request, response));
    const startedAt = performance.now();
    const traceparent = trace.childOf(request.headers['traceparent']);
    connections.watch(request, response, () => {
      // Who broke off has no answer.
      if (!response.headersSent) return;
      trace.tellAnswered({
        method: request.method ?? '',
        route: pattern,
        statusCode: response.statusCode,
        durationMs: performance.now() - startedAt,
        traceparent,
      });
    });
    route.take(request, response, traceparent);
  });
}
