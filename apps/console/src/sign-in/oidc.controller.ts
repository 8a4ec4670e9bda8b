import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Controller, Get, Inject, NotFoundException, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { SignedIn } from '../operators/operator.ts';
import { SessionCookie } from '../sessions/session-cookie.adapter.ts';
import { BeginSession } from './begin-session.service.ts';
import { attemptOf, cookieOf, type OidcAttempt } from './oidc-attempt.ts';
import { Oidc } from './oidc.adapter.ts';
import { SignInMetrics } from './sign-in.metrics.ts';

const TEN_MINUTES_S = 600;

/**
 * The way to the provider of OpenID Connect and back. Both routes are visited by the browser itself, so each failure
 * leads back to the page, which says it: `/#sign-in=failed`, or `no-rights`.
 */
@Controller('session/oidc')
export class OidcController {
  readonly #cookie: string;
  readonly #isOn: boolean;

  constructor(
    private readonly oidc: Oidc,
    private readonly beginning: BeginSession,
    private readonly session: SessionCookie,
    private readonly metrics: SignInMetrics,
    @Inject(CONFIG) config: Pick<Config, 'oidc'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#isOn = config.oidc !== null;
    this.#cookie = session.isSecure ? '__Host-gondola-oidc' : 'gondola-oidc';
  }

  @Get()
  async leave(@Res() reply: FastifyReply): Promise<void> {
    if (!this.#isOn) throw new NotFoundException();
    const attempt = this.oidc.newAttempt();
    try {
      const address = await this.oidc.addressFor(attempt);
      // Lax: the provider's page sends the browser back, and the browser then shows this cookie.
      const lasts = { path: '/', httpOnly: true, sameSite: 'lax', maxAge: TEN_MINUTES_S } as const;
      void reply.setCookie(this.#cookie, cookieOf(attempt), { ...lasts, secure: this.session.isSecure });
      void reply.redirect(address.href, 302);
    } catch (err) {
      this.#failed(err, reply);
    }
  }

  @Get('callback')
  async comeBack(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!this.#isOn) throw new NotFoundException();
    const attempt = attemptOf(request.cookies[this.#cookie]);
    void reply.clearCookie(this.#cookie, { path: '/', secure: this.session.isSecure });
    const signedIn = attempt === null ? null : await this.#signedInBy(request, attempt);
    if (signedIn instanceof Error || signedIn === null) return this.#failed(signedIn, reply);
    try {
      await this.beginning.begin(signedIn, request, reply);
      this.metrics.count('oidc', 'signed-in');
      void reply.redirect('/', 302);
    } catch (err) {
      this.metrics.count('oidc', 'refused');
      this.logger.warn({ err }, 'An operator of OpenID Connect may see no shop');
      void reply.redirect('/#sign-in=no-rights', 302);
    }
  }

  async #signedInBy({ url }: FastifyRequest, attempt: OidcAttempt): Promise<SignedIn | Error | null> {
    const [, query = ''] = url.split('?', 2);
    return this.oidc.signedInBy(query, attempt).catch((error: unknown) => {
      return error instanceof Error ? error : new Error('The provider proved nobody', { cause: error });
    });
  }

  #failed(err: unknown, reply: FastifyReply): void {
    this.metrics.count('oidc', 'failed');
    this.logger.warn({ err }, 'A sign-in by OpenID Connect failed');
    void reply.redirect('/#sign-in=failed', 302);
  }
}
