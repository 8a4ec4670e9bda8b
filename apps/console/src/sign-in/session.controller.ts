import { errorBody } from '@gondola/service-kit/http/error-body';
import { ApiOkResponse, ApiOperation, ApiResponse } from '@gondola/service-kit/http/api-docs';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpException,
  Post,
  Req,
  Res,
  UnauthorizedException,
  UsePipes,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { may, type Operator } from '../operators/operator.ts';
import { SessionCookie } from '../sessions/session-cookie.adapter.ts';
import { AWAY, BY_ANYBODY, FOREIGN, WITH_BODY } from '../sessions/session-answers.dto.ts';
import { SessionGuard } from '../sessions/session.guard.ts';
import { Sessions } from '../sessions/sessions.service.ts';
import { BeginSession } from './begin-session.service.ts';
import { BrowserMarks } from './browser-marks.adapter.ts';
import { LinkSignIn, PasswordSignIn, ShownSession, SignedOut } from './session.dto.ts';
import { type Caller, SignIn, type SignInOutcome } from './sign-in.service.ts';

const SIGNED_OUT = 'Entre no console primeiro. / Sign in to the console first.';
const REFUSED =
  'O nome e a senha não conferem, ou o link já foi usado. / Name and password do not match, or the link was used already.';
const TOO_FAST = 'Foram muitas tentativas: espere um pouco. / There were too many attempts: wait a little.';

const SIGNS_IN = { ...WITH_BODY, ...FOREIGN, ...AWAY, 401: REFUSED, 429: TOO_FAST };

/** Signing in and out, and the operator who is signed in. */
@Controller('session')
@UsePipes(RequestPipe)
export class SessionController {
  constructor(
    private readonly signIn: SignIn,
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly guard: SessionGuard,
    private readonly beginning: BeginSession,
    private readonly marks: BrowserMarks,
  ) {}

  /** 401 with the ways to sign in if nobody is signed in. */
  @Get()
  @ApiOperation({ ...BY_ANYBODY, summary: 'The operator who is signed in, or the ways to sign in' })
  @ApiOkResponse({ description: 'Somebody is signed in', type: ShownSession })
  @ApiResponse({ status: 401, description: SIGNED_OUT, type: SignedOut })
  @ApiErrors(AWAY)
  async show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const found = await this.guard.sessionOf(request, reply);
    if (found !== null) return shown(found.operator);
    void reply.status(401);
    return { ...errorBody(401, SIGNED_OUT), methods: this.signIn.methods };
  }

  @Post('link')
  @HttpCode(200)
  @ApiOperation({ ...BY_ANYBODY, summary: 'Signs in by a link, which serves once' })
  @ApiOkResponse({ description: 'Signed in', type: ShownSession })
  @ApiErrors(SIGNS_IN)
  async byLink(
    @Body() { secret }: LinkSignIn,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ShownSession> {
    this.guard.refuseForeign(request);
    return this.#begin(await this.signIn.byLink(secret, this.#callerOf(request)), request, reply);
  }

  @Post('password')
  @HttpCode(200)
  @ApiOperation({ ...BY_ANYBODY, summary: 'Signs in by name and password' })
  @ApiOkResponse({ description: 'Signed in', type: ShownSession })
  @ApiErrors(SIGNS_IN)
  async byPassword(
    @Body() { name, password }: PasswordSignIn,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ShownSession> {
    this.guard.refuseForeign(request);
    return this.#begin(await this.signIn.byPassword(name, password, this.#callerOf(request)), request, reply);
  }

  /** Ends the session; has no effect without one. */
  @Delete()
  @HttpCode(204)
  @ApiOperation({ ...BY_ANYBODY, summary: 'Signs out' })
  @ApiResponse({ status: 204, description: 'Nobody is signed in any more' })
  @ApiErrors({ ...FOREIGN, ...AWAY })
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    this.guard.refuseForeign(request);
    const token = this.cookie.read(request);
    if (token !== undefined) await this.sessions.close(token);
    this.cookie.clear(reply);
  }

  async #begin(outcome: SignInOutcome, request: FastifyRequest, reply: FastifyReply): Promise<ShownSession> {
    if (outcome.kind === 'throttled') {
      void reply.header('retry-after', String(Math.ceil(outcome.waitMs / 1_000)));
      throw new HttpException({ code: 'TOO_MANY_REQUESTS', message: TOO_FAST }, 429);
    }
    if (outcome.kind === 'refused') throw new UnauthorizedException(REFUSED);
    const operator = await this.beginning.begin(outcome.signedIn, request, reply);
    if (outcome.marks !== undefined) this.marks.set(reply, outcome.marks);
    return shown(operator);
  }

  #callerOf(request: FastifyRequest): Caller {
    return { address: this.beginning.addressOf(request), marks: this.marks.read(request) };
  }
}

function shown(operator: Operator): ShownSession {
  const tenants = [...operator.rights.keys()].map((id) => ({ id, act: may(operator, 'act', id) }));
  return { operator: { name: operator.name }, tenants };
}
