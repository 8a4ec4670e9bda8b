import { noteKnownSender } from '@gondola/service-kit/http/known-senders';
import { CONFIG } from '@gondola/service-kit/config/injected';
import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Operator } from '../operators/operator.ts';
import { isOwnOrigin } from './own-origin.ts';
import { SessionCookie } from './session-cookie.adapter.ts';
import { type CountingSession, Sessions } from './sessions.service.ts';

const SIGNED_OUT = 'Entre no console primeiro. / Sign in to the console first.';
const FOREIGN = 'Esta chamada não veio de uma página do console. / This call came from no page of the console.';
const READING = new Set(['GET', 'HEAD']);

/** Finds the operator of a call, and refuses calls that change something and come from another site's page. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    @Inject(CONFIG) private readonly config: Pick<Config, 'console'>,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const found = await this.sessionOf(request, http.getResponse<FastifyReply>());
    if (found === null) throw new UnauthorizedException(SIGNED_OUT);
    this.refuseForeign(request);
    SESSIONS.set(request, found);
    return true;
  }

  /** Null if the call shows no session. Replaces an old token in the answer. */
  async sessionOf(request: FastifyRequest, reply: FastifyReply): Promise<CountingSession | null> {
    const token = this.cookie.read(request);
    const found = token === undefined ? null : await this.sessions.find(token);
    if (found === null) return null;
    noteKnownSender(request);
    if (found.newToken !== null) this.cookie.set(reply, found.newToken);
    return found;
  }

  /** Throws a 403 for a call that changes something and does not come from a page of the console. */
  refuseForeign({ method, headers }: FastifyRequest): void {
    if (READING.has(method)) return;
    const { origin, host, 'sec-fetch-site': site } = headers;
    const source = { origin, host, fetchSite: typeof site === 'string' ? site : undefined };
    if (!isOwnOrigin(source, this.config.console.origin)) throw new ForbiddenException(FOREIGN);
  }
}

const SESSIONS = new WeakMap<FastifyRequest, CountingSession>();

/** The session that `SessionGuard` found. */
export function sessionOfRequest(request: FastifyRequest): CountingSession {
  const found = SESSIONS.get(request);
  if (found === undefined) throw new Error('No SessionGuard is before this route');
  return found;
}

/** The operator whom `SessionGuard` found. */
export function operatorOfRequest(request: FastifyRequest): Operator {
  return sessionOfRequest(request).operator;
}
