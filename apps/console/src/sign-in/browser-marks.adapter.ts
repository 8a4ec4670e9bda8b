import { DAY_MS } from '@gondola/shared/durations';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SessionCookie } from '../sessions/session-cookie.adapter.ts';

const KEPT_S = (180 * DAY_MS) / 1_000;

/** The cookie with the marks of the operators who signed in with a browser (`known-browser.ts`). */
@Injectable()
export class BrowserMarks {
  readonly #name: string;

  constructor(private readonly session: SessionCookie) {
    this.#name = session.isSecure ? '__Host-gondola-browser' : 'gondola-browser';
  }

  /** Undefined without one. */
  read({ cookies }: FastifyRequest): string | undefined {
    return cookies[this.#name];
  }

  set(reply: FastifyReply, marks: string): void {
    const { isSecure: secure } = this.session;
    void reply.setCookie(this.#name, marks, { path: '/', httpOnly: true, sameSite: 'strict', secure, maxAge: KEPT_S });
  }
}
