import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';

/** The cookie of a session: no script reads it, and no other site's page sends it. It ends with the browser. */
@Injectable()
export class SessionCookie {
  /** True behind https. */
  readonly isSecure: boolean;
  readonly #name: string;

  constructor(@Inject(CONFIG) config: Pick<Config, 'console'>) {
    this.isSecure = config.console.origin?.startsWith('https:') ?? false;
    this.#name = this.isSecure ? '__Host-gondola' : 'gondola';
  }

  /** Undefined without one. */
  read({ cookies }: FastifyRequest): string | undefined {
    return cookies[this.#name];
  }

  set(reply: FastifyReply, token: string): void {
    void reply.setCookie(this.#name, token, this.#attributes());
  }

  clear(reply: FastifyReply): void {
    void reply.clearCookie(this.#name, this.#attributes());
  }

  #attributes() {
    return { path: '/', httpOnly: true, sameSite: 'strict', secure: this.isSecure } as const;
  }
}
