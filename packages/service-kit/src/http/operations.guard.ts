import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { operatorIn, runForOperator } from '../logging/operator.ts';
import { errorBody } from './error-body.ts';

export interface OperationsAccess {
  /** `OPERATIONS_TOKEN`. */
  token: string | null;
  /** Path prefixes, such as `/api`, that are off without a token; each covers itself and everything below. */
  prefixes: readonly string[];
  /** Path prefixes that answer direct calls from this machine if no token is set. */
  localPrefixes: readonly string[];
}

export interface Caller {
  /** Address of the TCP connection, never from a header. */
  remoteAddress: string | undefined;
  httpVersion: string;
  headers: IncomingHttpHeaders;
}

const IS_OFF =
  'A API de operações está desligada: defina OPERATIONS_TOKEN com 24 caracteres ou mais. / ' +
  'The operations API is off: set OPERATIONS_TOKEN to 24 characters or more.';
const IS_LOCAL =
  'Sem OPERATIONS_TOKEN, só chamadas diretas desta máquina são atendidas, e de nenhuma página web. / ' +
  'Without OPERATIONS_TOKEN, only direct calls from this machine are answered, and no calls from web pages.';

const NO_OPERATOR =
  'x-gondola-operator não é um nome de 1 a 100 caracteres visíveis, com codificação percentual. / ' +
  'x-gondola-operator is no percent-encoded name of 1 to 100 printable characters.';

/** A URL can contain NUL only in percent-encoded form. No valid value contains it, and PostgreSQL rejects it. */
const HAS_NUL = /%00/;
const NUL = 'The URL contains the character NUL (%00), which no name, id or parameter can contain';

/**
 * Guards the operations API before any part of a request is parsed. A Fastify hook instead of a Nest guard also
 * covers paths without a route: without the token, callers cannot find out which routes exist.
 */
export function guardOperations(fastify: FastifyInstance, { token, prefixes, localPrefixes }: OperationsAccess): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const isLocal = requestIsBelow(request, localPrefixes);
    if (!isLocal && !requestIsBelow(request, prefixes)) return done();
    const letIn = () => (HAS_NUL.test(request.url) ? reply.status(400).send(errorBody(400, NUL)) : done());
    if (token !== null) {
      if (showsToken(token, request.headers)) {
        return operatorOf(request) === undefined
          ? void reply.status(400).send(errorBody(400, NO_OPERATOR))
          : void letIn();
      }
      return void reply.status(401).header('www-authenticate', 'Bearer').send(errorBody(401));
    }
    const { socket, raw, headers } = request;
    const caller = { remoteAddress: socket.remoteAddress, httpVersion: raw.httpVersion, headers };
    if (isLocal && isDirectLoopback(caller)) return void letIn();
    return void reply.status(403).send(errorBody(403, isLocal ? IS_LOCAL : IS_OFF));
  });
  if (token !== null) nameOperators(fastify, [...prefixes, ...localPrefixes]);
}

/**
 * Lets the code that serves a request know the operator for whom the console sent it. Only a request that showed the
 * token may name one, and this runs once its body was read, which begins outside of any such context.
 */
function nameOperators(fastify: FastifyInstance, prefixes: readonly string[]): void {
  fastify.addHook('preHandler', (request, _reply, done) => {
    const operator = requestIsBelow(request, prefixes) ? operatorOf(request) : null;
    if (typeof operator === 'string') runForOperator(operator, done);
    else done();
  });
}

/** Null without a name, undefined for a wrong one. */
function operatorOf({ headers }: FastifyRequest): string | null | undefined {
  const header = headers['x-gondola-operator'];
  if (header === undefined) return null;
  return typeof header === 'string' ? (operatorIn(header) ?? undefined) : undefined;
}

/** True if a request has the token as its bearer token. */
export function showsToken(token: string, { authorization = '' }: IncomingHttpHeaders): boolean {
  const shown = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  return shown !== undefined && timingSafeEqual(digest(shown), digest(token));
}

/**
 * Headers in which proxies name their callers. They are only used as evidence against a direct call, since a caller
 * can forge them.
 */
const FORWARDING = /^(?:forwarded|via|x-forwarded(?:-.+)?|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.+)$/;
const FETCH_SITES_OF_NO_OTHER = new Set([undefined, 'none', 'same-origin']);

/**
 * True for a call from this machine that came neither through a proxy nor from a web page: browsers send `Origin`
 * or `Sec-Fetch-Site`, DNS rebinding shows a foreign `Host`, and a proxy that adds no header by default (nginx)
 * uses HTTP/1.0.
 */
export function isDirectLoopback({ remoteAddress, httpVersion, headers }: Caller): boolean {
  if (httpVersion === '1.0' || headers.origin !== undefined) return false;
  if (!FETCH_SITES_OF_NO_OTHER.has(headers['sec-fetch-site'])) return false;
  if (Object.keys(headers).some((name) => FORWARDING.test(name))) return false;
  const host = (headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  return isLoopback(remoteAddress ?? '') && (host === 'localhost' || host === '[::1]' || isLoopback(host));
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** True if a request is for one of these paths or below it, by its route as well as by its URL. */
export function requestIsBelow(request: FastifyRequest, prefixes: readonly string[]): boolean {
  return isBelow(request.routeOptions.url, prefixes) || isBelow(pathOf(request.url), prefixes);
}

function isBelow(path: string | undefined, prefixes: readonly string[]): boolean {
  return path !== undefined && prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

function pathOf(url: string): string {
  const path = url.split(/[?#;]/, 1)[0] ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
