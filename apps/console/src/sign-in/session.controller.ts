import { errorBody } from '@gondola/service-kit/http/error-body';
import {
  BadRequestException,
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
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { may, type Operator } from '../operators/operator.ts';
import { SessionCookie } from '../sessions/session-cookie.adapter.ts';
import { SessionGuard } from '../sessions/session.guard.ts';
import { Sessions } from '../sessions/sessions.service.ts';
import { BeginSession } from './begin-session.service.ts';
import { BrowserMarks } from './browser-marks.adapter.ts';
import { type Caller, SignIn, type SignInOutcome } from './sign-in.service.ts';

interface ShownSession {
  readonly operator: { readonly name: string };
  readonly tenants: ReadonlyArray<{ readonly id: string; readonly act: boolean }>;
}

const SIGNED_OUT = 'Entre no console primeiro. / Sign in to the console first.';
const REFUSED =
  'O nome e a senha não conferem, ou o link já foi usado. / Name and password do not match, or the link was used already.';
const TOO_FAST = 'Foram muitas tentativas: espere um pouco. / There were too many attempts: wait a little.';

const MAX_LENGTH = 1_000;
const text = z.string().min(1).max(MAX_LENGTH);
const linkBody = z.strictObject({ secret: text });
const passwordBody = z.strictObject({ name: text, password: text });

/** Signing in and out, and the operator who is signed in. */
@Controller('session')
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
  async show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const found = await this.guard.sessionOf(request, reply);
    if (found !== null) return shown(found.operator);
    void reply.status(401);
    return { ...errorBody(401, SIGNED_OUT), methods: this.signIn.methods };
  }

  @Post('link')
  @HttpCode(200)
  async byLink(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ShownSession> {
    this.guard.refuseForeign(request);
    const { secret } = parsed(linkBody, body);
    return this.#begin(await this.signIn.byLink(secret, this.#callerOf(request)), request, reply);
  }

  @Post('password')
  @HttpCode(200)
  async byPassword(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ShownSession> {
    this.guard.refuseForeign(request);
    const { name, password } = parsed(passwordBody, body);
    return this.#begin(await this.signIn.byPassword(name, password, this.#callerOf(request)), request, reply);
  }

  /** Ends the session; has no effect without one. */
  @Delete()
  @HttpCode(204)
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

function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (!result.success) throw new BadRequestException('The body is a JSON object with the fields of the contract');
  return result.data;
}
