import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { operatorIn, runForOperator } from '../logging/operator.ts';
import { errorBody } from './error-body.ts';
import { noteKnownSender } from './known-senders.ts';

/** Paths that are off without a token, each with everything below it. */
const PREFIXES = ['/api'];

const IS_OFF =
  'A API de operações está desligada: defina OPERATIONS_TOKEN com 24 caracteres ou mais. / ' +
  'The operations API is off: set OPERATIONS_TOKEN to 24 characters or more.';
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
export function guardOperations(fastify: FastifyInstance, token: string | null): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!requestIsBelow(request, PREFIXES)) return done();
    if (token === null) return void reply.status(403).send(errorBody(403, IS_OFF));
    if (!showsToken(token, request.headers)) {
      return void reply.status(401).header('www-authenticate', 'Bearer').send(errorBody(401));
    }
    noteKnownSender(request);
    if (operatorOf(request) === undefined) return void reply.status(400).send(errorBody(400, NO_OPERATOR));
    return HAS_NUL.test(request.url) ? void reply.status(400).send(errorBody(400, NUL)) : done();
  });
  if (token !== null) nameOperators(fastify);
}

/**
 * Lets the code that serves a request know the operator for whom the console sent it. Only a request that showed the
 * token may name one, and this runs once its body was read, which begins outside of any such context.
 */
function nameOperators(fastify: FastifyInstance): void {
  fastify.addHook('preHandler', (request, _reply, done) => {
    const operator = requestIsBelow(request, PREFIXES) ? operatorOf(request) : null;
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
