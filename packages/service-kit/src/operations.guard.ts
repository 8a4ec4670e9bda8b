import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { errorBody } from './error-body.ts';

export interface OperationsAccess {
  /** `OPERATIONS_TOKEN`; null: only direct calls from this machine are answered. */
  token: string | null;
  /** Beginnings of paths, such as `/api`; each guards itself and what is below. */
  prefixes: readonly string[];
}

export interface Caller {
  /** Of the TCP connection, never of a header. */
  remoteAddress: string | undefined;
  headers: IncomingHttpHeaders;
}

/**
 * Guards the operations API before anything of a request is parsed. A Fastify hook rather than a Nest guard, so that
 * paths without a route are covered too: without the token nobody learns which exist.
 */
export function guardOperations(fastify: FastifyInstance, access: OperationsAccess): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const isGuarded =
      isBelow(request.routeOptions.url, access.prefixes) || isBelow(pathOf(request.url), access.prefixes);
    const caller = { remoteAddress: request.socket.remoteAddress, headers: request.headers };
    if (!isGuarded || mayOperate(access.token, caller)) {
      done();
      return;
    }
    void reply.status(401).header('www-authenticate', 'Bearer').send(errorBody(401));
  });
}

/** Whether this caller may use the operations API: by the token if there is one, else by being on this machine. */
export function mayOperate(token: string | null, caller: Caller): boolean {
  if (token === null) return isDirectLoopback(caller);
  const shown = /^bearer +(\S+) *$/i.exec(caller.headers.authorization ?? '')?.[1];
  return shown !== undefined && timingSafeEqual(digest(shown), digest(token));
}

/**
 * A call from this machine that no proxy passed on and no web page of another site made (DNS rebinding shows a foreign
 * `Host`). Forwarding headers are believed only in so far as they speak against the caller.
 */
function isDirectLoopback({ remoteAddress, headers }: Caller): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  return isLoopback(remoteAddress ?? '') && (host === 'localhost' || host === '[::1]' || isLoopback(host));
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address);
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

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
