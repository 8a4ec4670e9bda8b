import { CONFIG } from '@gondola/service-kit/config/injected';
import { ApiOperation, ApiResponse } from '@gondola/service-kit/http/api-docs';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { Controller, Get, HttpException, Inject, NotFoundException, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { SignedIn } from '../operators/operator.ts';
import { BY_ANYBODY } from '../sessions/session-answers.dto.ts';
import { SessionCookie } from '../sessions/session-cookie.adapter.ts';
import { BeginSession } from './begin-session.service.ts';
import { attemptOf, cookieOf, type OidcAttempt } from './oidc-attempt.ts';
import { Oidc } from './oidc.adapter.ts';
import { SignInLog } from './sign-in-log.service.ts';
import { SignInMetrics } from './sign-in.metrics.ts';

const TEN_MINUTES_S = 600;
const IS_OFF = 'The console has no provider of OpenID Connect';
const NOT_ASKED = 'This browser asked for no sign-in, or its cookie is gone';

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
    private readonly log: SignInLog,
    @Inject(CONFIG) config: Pick<Config, 'oidc'>,
  ) {
    this.#isOn = config.oidc !== null;
    this.#cookie = session.isSecure ? '__Host-gondola-oidc' : 'gondola-oidc';
  }

  @Get()
  @ApiOperation({ ...BY_ANYBODY, summary: 'Leads the browser to the provider of OpenID Connect' })
  @ApiResponse({ status: 302, description: 'To the provider, or to the page, which says the failure' })
  @ApiErrors({ 404: IS_OFF })
  async leave(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!this.#isOn) throw new NotFoundException();
    const attempt = this.oidc.newAttempt();
    try {
      const address = await this.oidc.addressFor(attempt);
      // Lax: the provider's page sends the browser back, and the browser then shows this cookie.
      const lasts = { path: '/', httpOnly: true, sameSite: 'lax', maxAge: TEN_MINUTES_S } as const;
      void reply.setCookie(this.#cookie, cookieOf(attempt), { ...lasts, secure: this.session.isSecure });
      void reply.redirect(address.href, 302);
    } catch (err) {
      this.#failed(err, request, reply);
    }
  }

  @Get('callback')
  @ApiOperation({ ...BY_ANYBODY, summary: 'Takes the browser back from the provider, and signs in' })
  @ApiResponse({ status: 302, description: 'To the page, which says a failure' })
  @ApiErrors({ 404: IS_OFF })
  async comeBack(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!this.#isOn) throw new NotFoundException();
    const attempt = attemptOf(request.cookies[this.#cookie]);
    void reply.clearCookie(this.#cookie, { path: '/', secure: this.session.isSecure });
    const signedIn = attempt === null ? new Error(NOT_ASKED) : await this.#signedInBy(request, attempt);
    if (signedIn instanceof Error) return this.#failed(signedIn, request, reply);
    try {
      await this.beginning.begin(signedIn, request, reply);
      this.metrics.count('oidc', 'signed-in');
      void reply.redirect('/', 302);
    } catch (err) {
      if (!(err instanceof HttpException)) return this.#failed(err, request, reply);
      this.metrics.count('oidc', 'refused');
      void reply.redirect('/#sign-in=no-rights', 302);
    }
  }

  async #signedInBy({ url }: FastifyRequest, attempt: OidcAttempt): Promise<SignedIn | Error> {
    const [, query = ''] = url.split('?', 2);
    return this.oidc.signedInBy(query, attempt).catch((error: unknown) => {
      return error instanceof Error ? error : new Error('The provider proved nobody', { cause: error });
    });
  }

  #failed(err: unknown, request: FastifyRequest, reply: FastifyReply): void {
    this.metrics.count('oidc', 'failed');
    this.log.failed(err, this.beginning.addressOf(request));
    void reply.redirect('/#sign-in=failed', 302);
  }
}
