import { STATUS_CODES, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Store } from '../store/store.service.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import { BadInput } from '../values/bad-input.ts';
import { checkedBody, checkedQuery } from './body.ts';
import { HttpError } from './http-error.ts';
import { isDirectLoopback, showsToken } from './operations-access.ts';
import { Dropped, type PlatformCalls } from './platform-call.service.ts';
import { isPlatformRoute, type RequestLog } from './request-log.service.ts';
import { Raw, type AnyRoute, type Call } from './route.ts';

interface HttpSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Null: `/api` is off, and `/admin` answers only direct calls from this machine. */
  readonly operationsToken: string | null;
  /** Port of `/api`, `/metrics` and `/health`; null: the sandbox's own. */
  readonly operationsPort: number | null;
}

export interface HttpServices {
  readonly settings: HttpSettings;
  readonly logger: Logger;
  readonly store: Store;
  readonly switches: SwitchBoard;
  readonly requests: RequestLog;
  readonly platform: PlatformCalls;
  readonly files: PageFiles;
}

/** Files of the page, for paths that no route has. */
export interface PageFiles {
  readonly isFor: (request: FastifyRequest) => boolean;
  readonly serve: (request: FastifyRequest, reply: FastifyReply) => unknown;
}

/** Largest body: a batch of products may be large, and the document shows no limit. */
const BODY_LIMIT_BYTES = 32 * 1_048_576;
/** Larger, because the document has no 413 for products: beyond it they are answered 500. */
const BATCH_LIMIT_BYTES = 256 * 1_048_576;
const PRODUCTS = '/v1/batch/Products';
const LIMITS = { maxHeaderSize: 16_384, headersTimeout: 15_000, requestTimeout: 120_000 };
/** Longer than the idle time-out of common load balancers (60 s). */
const KEEP_ALIVE_MS = 72_000;
/** Time for which an open request may delay a stop. */
const STOP_GRACE_MS = 3_000;

const IS_OFF = 'The operations API is off: set OPERATIONS_TOKEN to 24 characters or more.';
const IS_LOCAL =
  'Without OPERATIONS_TOKEN, only direct calls from this machine are answered, and no calls from foreign web pages.';

/** HTTP: all routes of the sandbox, what may reach them, and the answers to what does not. */
export class HttpServer {
  private readonly app: FastifyInstance;
  private readonly known: { readonly method: string; readonly pattern: RegExp }[] = [];
  private operations: Server | undefined;
  private isListening = false;

  constructor(private readonly services: HttpServices) {
    const { settings } = services;
    this.app = fastify({
      bodyLimit: BODY_LIMIT_BYTES,
      routerOptions: { maxParamLength: 500 },
      requestTimeout: LIMITS.requestTimeout,
      keepAliveTimeout: KEEP_ALIVE_MS,
      http: LIMITS,
      forceCloseConnections: 'idle',
      frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
        void this.refuse(request, reply, new HttpError(error.statusCode ?? 400, 'BAD_REQUEST', 'Bad request')),
    });
    // Bodies stay bytes: the platform itself judges digits and invalid JSON, and the log of calls holds the bytes.
    this.app.removeAllContentTypeParsers();
    this.app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    // Forms may be large: their routes read them as they arrive, after the credentials are checked.
    this.app.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));
    this.app.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) this.known.push({ method: one, pattern: patternOf(url) });
    });
    this.app.addHook('onRequest', (request, reply, done) => {
      const error =
        this.wrongPort(request) ?? this.locked(request) ?? (request.is404 ? this.unknownRoute(request) : undefined);
      const mayBeFile = error?.status === 404 && request.is404 && services.files.isFor(request);
      if (error && !mayBeFile) void this.refuse(request, reply, error);
      else done();
    });
    this.app.addHook('onSend', async (request, reply, payload) => {
      services.requests.add(request, reply.statusCode);
      return payload;
    });
    this.app.setErrorHandler((error: FastifyError, request, reply) => this.refuse(request, reply, error));
    this.app.setNotFoundHandler((request, reply) => services.files.serve(request, reply));
    if (settings.operationsPort !== null) {
      this.operations = createServer((request, response) => this.app.routing(request, response));
    }
  }

  /** Base URL without a trailing slash; port 0 before the server listens. */
  get url(): string {
    const address = this.app.server.address() as AddressInfo | null;
    if (address === null) return 'http://127.0.0.1:0';
    const host = ['0.0.0.0', '::'].includes(address.address) ? '127.0.0.1' : address.address;
    return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }

  get port(): number {
    return (this.app.server.address() as AddressInfo | null)?.port ?? 0;
  }

  add(routes: readonly AnyRoute[]): void {
    for (const route of routes) {
      const { method, path: url } = route;
      const limit = method === 'POST' && url === PRODUCTS ? { bodyLimit: BATCH_LIMIT_BYTES } : {};
      this.app.route({ method, url, ...limit, handler: (request, reply) => this.handle(route, request, reply) });
    }
  }

  async listen(): Promise<void> {
    const { host, port, operationsPort } = this.services.settings;
    await this.app.listen({ host, port });
    this.isListening = true;
    if (this.operations === undefined || operationsPort === null) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.operations.once('error', reject).listen(operationsPort, host, resolve);
    await promise;
  }

  async stop(): Promise<void> {
    if (!this.isListening) return this.app.close().then(() => undefined);
    const { server } = this.app;
    const late = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
    this.operations?.close();
    this.operations?.closeAllConnections();
    const looking = setInterval(() => server.closeIdleConnections(), 20);
    await this.app.close();
    clearInterval(looking);
    clearTimeout(late);
  }

  private async handle(route: AnyRoute, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    try {
      return this.answer(route, reply, await this.carryOut(route, request, reply));
    } catch (error) {
      if (error instanceof Dropped) {
        this.services.requests.add(request, null);
        reply.hijack();
        request.raw.socket.destroy();
        return undefined;
      }
      return this.refuse(request, reply, error);
    }
  }

  /** Returns, or throws, once everything that was done until then survives a crash. */
  private async carryOut(route: AnyRoute, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const query: unknown = route.query ? checkedQuery(request.query, route.query) : request.query;
    const { params } = request as { params: Record<string, string> };
    const call = { request, reply, params, query, body: undefined } as unknown as Call;
    const isPlatform = route.access === 'merchant' || route.access === 'core';
    const handle = (by: Call): unknown => route.handle(this.withBody(route, by) as never);
    try {
      return await (isPlatform ? this.services.platform.carryOut(route, call, handle) : handle(call));
    } finally {
      // An error may follow the work (`error-after`), and a fault that strikes is counted.
      if (route.isOfProcess !== true) await this.services.store.synced();
    }
  }

  private withBody({ body, access }: AnyRoute, call: Call): Call {
    if (body === undefined) return call;
    const spelling = access === 'admin' ? 'checked' : 'ignored';
    return { ...call, body: checkedBody<unknown>(call.request, body, spelling) };
  }

  private answer({ status = 200 }: AnyRoute, reply: FastifyReply, answer: unknown): unknown {
    if (reply.sent) return reply;
    if (reply.statusCode === 200) void reply.status(status);
    if (answer === undefined) return reply.send();
    if (answer instanceof Raw) {
      if (answer.length !== undefined) void reply.header('content-length', answer.length);
      return reply.header('content-type', answer.type).send(answer.content);
    }
    return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer));
  }

  /** The answer to anything thrown. The platform's routes have the form of the switch `errorBody`. */
  private refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
    const { status, code, message, headers } = this.refusalOf(request, error);
    if (code === 'INTERNAL' && !(error instanceof HttpError)) {
      this.services.logger.error({ err: error, statusCode: status }, 'A request failed');
    }
    this.services.requests.note(request, { refusal: { code, message } });
    void reply.status(status).headers(headers);
    const form = isPlatformRoute(request.url) ? this.services.switches.behaviour.errorBody : 'object';
    if (form === 'text') return reply.header('content-type', 'text/plain; charset=utf-8').send(message);
    if (form === 'problem') {
      const problem = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail: message };
      return reply.header('content-type', 'application/problem+json; charset=utf-8').send(JSON.stringify(problem));
    }
    const body = JSON.stringify({ error: { code, message } });
    return reply.header('content-type', 'application/json; charset=utf-8').send(body);
  }

  private refusalOf(
    request: FastifyRequest,
    error: unknown,
  ): Pick<HttpError, 'status' | 'code' | 'message' | 'headers'> {
    if (error instanceof HttpError) return error;
    if (error instanceof BadInput) return { status: 400, code: error.code, message: error.message, headers: {} };
    const { statusCode: status = 500, message, code } = error as Partial<FastifyError>;
    if (code === 'ECONNRESET') return { status: 400, code: 'ABORTED', message: 'The body broke off', headers: {} };
    if (status === 413) {
      const isProducts = request.method === 'POST' && request.routeOptions.url === PRODUCTS;
      return { status: isProducts ? 500 : 413, code: 'TOO_LARGE', message: 'The body is too large', headers: {} };
    }
    if (status < 500) return { status, code: 'BAD_REQUEST', message: message ?? 'Bad request', headers: {} };
    return { status: 500, code: 'INTERNAL', message: 'Internal error', headers: {} };
  }

  /** Operations routes have their own port, if one is set. */
  private wrongPort(request: FastifyRequest): HttpError | undefined {
    const { operationsPort } = this.services.settings;
    if (operationsPort === null) return undefined;
    const isOperations = isBelow(request, ['/api', '/metrics', '/health']);
    const isOfOperations = request.raw.socket.localPort !== this.port;
    return isOperations === isOfOperations ? undefined : routeUnknown(request);
  }

  /**
   * Guards `/api` and `/admin`, also paths without a route: without the token, callers cannot find out which routes
   * exist.
   */
  private locked(request: FastifyRequest): HttpError | undefined {
    const isAdmin = isBelow(request, ['/admin']);
    if (!isAdmin && !isBelow(request, ['/api'])) return undefined;
    const { operationsToken: token } = this.services.settings;
    const { socket, raw, headers } = request;
    if (token !== null) {
      return showsToken(token, headers)
        ? undefined
        : new HttpError(401, 'UNAUTHORIZED', 'Unauthorized', { 'www-authenticate': 'Bearer' });
    }
    const caller = { remoteAddress: socket.remoteAddress, httpVersion: raw.httpVersion, headers };
    if (isAdmin && isDirectLoopback(caller)) return undefined;
    return new HttpError(403, 'FORBIDDEN', isAdmin ? IS_LOCAL : IS_OFF);
  }

  /** A path that does not exist is a 404, a method that a path does not have a 405 with `Allow`. */
  private unknownRoute(request: FastifyRequest): HttpError {
    const path = pathOf(request);
    const methods = new Set(this.known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
    if (methods.size === 0) return routeUnknown(request);
    const allow = [...methods].toSorted().join(', ');
    return new HttpError(405, 'METHOD_NOT_ALLOWED', `${path} takes ${allow}, not ${request.method}`, { allow });
  }
}

function routeUnknown(request: FastifyRequest): HttpError {
  return new HttpError(404, 'ROUTE_UNKNOWN', `There is no route ${request.method} ${pathOf(request)}`);
}

function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
  return url.split('?', 1)[0] ?? '';
}

/** True for these paths and everything below them, by the route as well as by the decoded URL. */
function isBelow(request: FastifyRequest, prefixes: readonly string[]): boolean {
  const paths = [request.routeOptions.url ?? '', decoded(request.url.split(/[?#;]/, 1)[0] ?? '')];
  return paths.some((path) => prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `/v1/Orders/:orderNumber/status` as a regular expression. Catch-all routes do not count. */
function patternOf(url: string): RegExp {
  if (url.includes('*')) return /(?!)/;
  const segments = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replaceAll(/[^\w]/g, String.raw`\$&`)));
  return new RegExp(`^${segments.join('/')}/?$`);
}
