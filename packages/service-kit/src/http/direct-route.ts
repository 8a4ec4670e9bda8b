import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { HttpConnections } from './http-connections.ts';
import type { RequestTrace } from './trace.ts';

/**
 * A route that is taken before Fastify sees the request. For one that is asked thousands of times a second and needs
 * nothing of Fastify: its way to a route and back is as long as Node's own. Limits on headers, time and connections are
 * the server's, and hold all the same.
 */
export interface DirectRoute {
  /** The route's pattern, for the log, if this request is for it; null leaves the request to Fastify. */
  patternOf(request: IncomingMessage): string | null;
  /**
   * Answers it, whatever happens; must not throw. `traceparent` is the request's own span, as with Fastify's requests.
   */
  take(request: IncomingMessage, response: ServerResponse, traceparent: string): void;
}

/** The concerns of every request, however it is served. */
export interface AroundRequests {
  readonly connections: HttpConnections;
  readonly trace: RequestTrace;
  /** Taken as they come, also when a client sends several before an answer. */
  readonly direct?: DirectRoute | undefined;
}

/**
 * Comes before the present listeners of this server: the direct route takes its own requests, and the listeners get all
 * others, one request of a connection at a time.
 */
export function serveRequests(server: Server, { connections, trace, direct }: AroundRequests): void {
  const others = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  connections.attach(server);
  server.on('request', (request, response) => {
    const pattern = direct?.patternOf(request) ?? null;
    if (direct === undefined || pattern === null) {
      if (!connections.admit(request, response)) return;
      connections.inTurn(request, response, () => {
        for (const listener of others) listener.call(server, request, response);
      });
      return;
    }
    const startedAt = performance.now();
    const traceparent = trace.childOf(request.headers['traceparent']);
    const isAdmitted = connections.admit(request, response, () => {
      // A client that broke off got no answer.
      if (!response.headersSent) return;
      trace.logAnswered({
        method: request.method ?? '',
        route: pattern,
        statusCode: response.statusCode,
        durationMs: performance.now() - startedAt,
        traceparent,
      });
    });
    if (isAdmitted) direct.take(request, response, traceparent);
  });
}
