import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { SIGN_IN_METHODS, type SignInMethod } from '../operators/operator.ts';

/** `failed`: the provider of OpenID Connect did not answer as it should. */
export type SignInResult = 'signed-in' | 'refused' | 'throttled' | 'failed';

@Injectable()
export class SignInMetrics {
  readonly #attempts: Counter<'method' | 'result'>;

  constructor(registry: Registry) {
    this.#attempts = new Counter({
      name: 'gondola_console_sign_ins_total',
      help: 'Attempts to sign in to the console, by method and result',
      labelNames: ['method', 'result'],
      registers: [registry],
    });
    for (const method of SIGN_IN_METHODS) this.#attempts.inc({ method, result: 'signed-in' }, 0);
  }

  count(method: SignInMethod, result: SignInResult): void {
    this.#attempts.inc({ method, result });
  }
}
