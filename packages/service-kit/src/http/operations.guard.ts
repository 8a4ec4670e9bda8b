import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorBody } from './error-body.ts';

export interface OperationsAccess {
  /** `OPERATIONS_TOKEN`. */
  token: string | null;
  /** Beginnings of paths, such as `/api`, that are off without a token; each guards itself and what is below. */
  prefixes: readonly string[];
  /** Beginnings of paths that answer direct calls from this machine where there is no token. */
  localPrefixes: readonly string[];
}

export interface Caller {
  /** Of the TCP connection, never of a header. */
  remoteAddress: string | undefined;
  httpVersion: string;
  headers: IncomingHttpHeaders;
}

const IS_OFF =
  'A API de operações está desligada: defina OPERATIONS_TOKEN com 24 caracteres ou mais. / ' +
  'The operations API is off: set OPERATIONS_TOKEN to 24 characters or more.';
const IS_LOCAL =
  'Sem OPERATIONS_TOKEN, só chamadas diretas desta máquina são atendidas, e de nenhuma página web. / ' +
  'Without OPERATIONS_TOKEN, only direct calls from this machine are answered, and those of no web page.';

/** In a URL, NUL can only stand percent-encoded. No value has it, and PostgreSQL takes none that does. */
const HAS_NUL = /%00/;
const NUL = 'The address holds the character NUL (%00), which is in no name, no id and no parameter';

/**
 * Guards the operations API before anything of a request is parsed. A Fastify hook rather than a Nest guard, so that
 * paths without a route are covered too: without the token nobody learns which exist.
 */
export function guardOperations(fastify: FastifyInstance, { token, prefixes, localPrefixes }: OperationsAccess): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const isLocal = requestIsBelow(request, localPrefixes);
    if (!isLocal && !requestIsBelow(request, prefixes)) return done();
    const letIn = () => (HAS_NUL.test(request.url) ? reply.status(400).send(errorBody(400, NUL)) : done());
    if (token !== null) {
      if (showsToken(token, request.headers)) return void letIn();
      return void reply.status(401).header('www-authenticate', 'Bearer').send(errorBody(401));
    }
    const { socket, raw, headers } = request;
    const caller = { remoteAddress: socket.remoteAddress, httpVersion: raw.httpVersion, headers };
    if (isLocal && isDirectLoopback(caller)) return void letIn();
    return void reply.status(403).send(errorBody(403, isLocal ? IS_LOCAL : IS_OFF));
  });
}

/** Whether a request has the token as its bearer token. */
export function showsToken(token: string, { authorization = '' }: IncomingHttpHeaders): boolean {
  const shown = /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  return shown !== undefined && timingSafeEqual(digest(shown), digest(token));
}

/**
 * Headers by which proxies pass on who called them. They are believed only in so far as they speak against the caller.
 */
const FORWARDING = /^(?:forwarded|via|x-forwarded(?:-.+)?|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.+)$/;
const FETCH_SITES_OF_NO_OTHER = new Set([undefined, 'none', 'same-origin']);

/**
 * A call from this machine that no proxy passed on and no web page made: browsers send `Origin` or `Sec-Fetch-Site`,
 * DNS rebinding shows a foreign
 * `Host`, and a proxy that adds no header by default (nginx) speaks HTTP/1.0.
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

/** Whether a request is for one of these paths or what is below, by the route that was found as well as by its URL. */
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
