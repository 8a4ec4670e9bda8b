import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { HttpConnections } from './http-connections.ts';
import type { RequestTrace } from './trace.ts';

/**
 * A route that is served before Fastify sees the request, for a route with thousands of requests a second that uses
 * nothing of Fastify: Fastify's routing takes as long as the work of Node itself. The server's limits on headers,
 * time and connections still apply.
 */
export interface DirectRoute {
  /** Pattern of the route, for the log, if the request is for this route; null leaves the request to Fastify. */
  patternOf(request: IncomingMessage): string | null;
  /**
   * True if the request shows valid credentials, so that it is answered however many are sent before an answer, and
   * goes on with its sender's trace.
   */
  isKnown(request: IncomingMessage): boolean;
  /**
   * Answers the request in every case; must not throw. `traceparent` is the request's own span, as with Fastify's
   * requests.
   */
  take(request: IncomingMessage, response: ServerResponse, traceparent: string): void;
}

/** Services that every request passes through, whether Fastify or the direct route serves it. */
export interface AroundRequests {
  readonly connections: HttpConnections;
  readonly trace: RequestTrace;
  /** Serves its requests as they arrive, even if a client sends several before an answer. */
  readonly direct?: DirectRoute | undefined;
}

/**
 * Runs before the present listeners of this server: the direct route serves its own requests, and the listeners
 * receive all others, one request per connection at a time.
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
    const { method = '', headers } = request;
    const isKnown = () => direct.isKnown(request);
    const begun = trace.begin({ method, route: pattern, header: headers['traceparent'], isKnown });
    const onClosed = () => {
      // A client that disconnected has received no answer.
      if (!response.headersSent) return;
      trace.answered({
        ...begun,
        method,
        route: pattern,
        statusCode: response.statusCode,
        durationMs: performance.now() - startedAt,
      });
    };
    const isAdmitted = connections.admit(request, response, { onClosed, isKnown });
    if (isAdmitted) direct.take(request, response, begun.traceparent);
  });
}
