import { HttpException, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operator, SignedIn } from '../operators/operator.ts';
import { Operators } from '../operators/operators.service.ts';
import { SessionCookie } from '../sessions/session-cookie.adapter.ts';
import { Sessions } from '../sessions/sessions.service.ts';
import { callerAddress } from './caller-address.ts';
import { SignInLog } from './sign-in-log.service.ts';

const NO_RIGHTS = 'Nenhuma loja é permitida a este operador. / This operator may see no shop.';

/** Begins the session of someone who signed in, by whichever way. */
@Injectable()
export class BeginSession {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookie: SessionCookie,
    private readonly operators: Operators,
    private readonly log: SignInLog,
  ) {}

  /** Throws a 403 for someone who may see no shop. */
  async begin(signedIn: SignedIn, request: FastifyRequest, reply: FastifyReply): Promise<Operator> {
    const operator = this.operators.operatorOf(signedIn);
    const address = this.addressOf(request);
    if (operator === null) {
      this.log.noRights(signedIn, address);
      throw new HttpException({ code: 'NO_RIGHTS', message: NO_RIGHTS }, 403);
    }
    // A session from before signing in is not continued.
    const before = this.cookie.read(request);
    if (before !== undefined) await this.sessions.close(before);
    this.cookie.set(reply, await this.sessions.open(signedIn, address));
    this.log.signedIn(signedIn, address);
    return operator;
  }

  /** Address of the caller, as the pace of attempts, the session and the log have it. */
  addressOf(request: FastifyRequest): string {
    return callerAddress(request, { isBehindProxy: this.cookie.isSecure });
  }
}
