import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import { type SignedIn, type SignInMethod } from '../operators/operator.ts';
import { hashPassword, isPassword } from '../operators/password-hash.adapter.ts';
import { type RefusedSignIn, SignInLog } from './sign-in-log.service.ts';
import { SignInLinks } from './sign-in-links.service.ts';
import { SignInMetrics } from './sign-in.metrics.ts';
import { Throttle } from './throttle.service.ts';

/** Result of an attempt: who signed in, a refusal, or the milliseconds until the next attempt is heard. */
export type SignInOutcome =
  | { readonly kind: 'signed-in'; readonly signedIn: SignedIn }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly waitMs: number };

/** Name of the operator who signed in by the link of `npm start`. */
const LINK_NAME = 'local';
/** Hashes that are computed at the same time; each takes 64 MiB. */
const HASHES_AT_ONCE = 2;

/** Sign-in by link and by password. */
@Injectable()
export class SignIn {
  #decoy: Promise<string> | undefined;
  #hashing = 0;

  constructor(
    private readonly links: SignInLinks,
    private readonly throttle: Throttle,
    private readonly metrics: SignInMetrics,
    private readonly log: SignInLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'console' | 'oidc' | 'operators'>,
  ) {}

  get methods(): readonly SignInMethod[] {
    const { console: settings, oidc, operators } = this.config;
    return [
      ...(settings.linkSecret === null ? [] : (['link'] as const)),
      ...(operators.users.size === 0 ? [] : (['password'] as const)),
      ...(oidc === null ? [] : (['oidc'] as const)),
    ];
  }

  async byLink(secret: string, address: string): Promise<SignInOutcome> {
    return this.#attempt({ method: 'link', name: null, address }, async () => {
      const isRight = await this.links.use(secret);
      return isRight ? { method: 'link', name: LINK_NAME, subject: null, groups: [] } : null;
    });
  }

  async byPassword(name: string, password: string, address: string): Promise<SignInOutcome> {
    return this.#attempt({ method: 'password', name, address }, async () => {
      const user = this.config.operators.users.get(name);
      const isRight = await isPassword(password, user?.passwordHash ?? (await this.#decoyHash()));
      return isRight && user !== undefined ? { method: 'password', name, subject: null, groups: [] } : null;
    });
  }

  async #attempt(attempt: RefusedSignIn, check: () => Promise<SignedIn | null>): Promise<SignInOutcome> {
    const { method, name, address } = attempt;
    // An attacker who tries many names must not learn which of them exist from a wait either.
    const keys = [`address ${address}`, ...(name === null ? [] : [`name ${name}`])];
    const waitMs = this.#hashing >= HASHES_AT_ONCE ? 1_000 : this.throttle.attempt(keys);
    if (waitMs > 0) {
      this.metrics.count(method, 'throttled');
      return { kind: 'throttled', waitMs };
    }
    this.#hashing += 1;
    try {
      const signedIn = await check();
      this.metrics.count(method, signedIn === null ? 'refused' : 'signed-in');
      if (signedIn === null) {
        this.log.refused(attempt);
        return { kind: 'refused' };
      }
      this.throttle.succeeded(keys);
      return { kind: 'signed-in', signedIn };
    } finally {
      this.#hashing -= 1;
    }
  }

  /** Compared if there is no such user, so that the answer takes as long. */
  async #decoyHash(): Promise<string> {
    this.#decoy ??= hashPassword('');
    return this.#decoy;
  }
}
