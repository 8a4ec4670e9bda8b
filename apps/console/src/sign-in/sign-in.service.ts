import { CONFIG } from '@gondola/service-kit/config/injected';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import { type SignedIn, type SignInMethod } from '../operators/operator.ts';
import { hashPassword, isPassword } from '../operators/password-hash.adapter.ts';
import { browserKnownTo, marksAfter } from './known-browser.ts';
import { networkOf } from './network-of.ts';
import { type EndTurn, SignInLine } from './sign-in-line.ts';
import { type RefusedSignIn, SignInLog } from './sign-in-log.service.ts';
import { SignInLinks } from './sign-in-links.service.ts';
import { SignInMetrics } from './sign-in.metrics.ts';
import { Throttle } from './throttle.service.ts';

/** Result of an attempt: who signed in, a refusal, or the milliseconds until the next attempt is heard. */
export type SignInOutcome =
  | {
      readonly kind: 'signed-in';
      readonly signedIn: SignedIn;
      /** The browser's marks from now on; undefined where they stay as they are. */
      readonly marks?: string;
    }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly waitMs: number };

/** Name of the operator who signed in by the link of `npm start`. */
const LINK_NAME = 'local';
/** Attempts that wait for their hash, which takes 64 MiB and some tenths of a second of one core. */
const LONGEST_LINE = 32;
/** Strangers who guess take a quarter of a core at most. */
const REST_FOR = 3;
const LINE_IS_FULL_MS = 1_000;
const ID_BYTES = 24;

/** Who asks, as far as the request tells. */
export interface Caller {
  readonly address: string;
  /** Those of the browser; undefined without any. */
  readonly marks: string | undefined;
}

/** The cost of an attempt, and the attempts among which it counts. */
interface Paced {
  readonly keys: readonly string[];
  /** Waits for its turn until it is worked on; null: it is refused. */
  readonly turn: () => Promise<EndTurn | null>;
}

/** Sign-in by link and by password. */
@Injectable()
export class SignIn {
  #decoy: Promise<string> | undefined;
  readonly #line = new SignInLine(
    { most: LONGEST_LINE, restFor: REST_FOR },
    { now: () => performance.now(), later: (ms, callBack) => void setTimeout(callBack, ms).unref() },
  );

  constructor(
    private readonly links: SignInLinks,
    private readonly throttle: Throttle,
    private readonly metrics: SignInMetrics,
    private readonly log: SignInLog,
    private readonly randomness: Randomness,
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

  async byLink(secret: string, { address }: Caller): Promise<SignInOutcome> {
    const paced = { keys: [addressKey(address)], turn: async () => () => {} };
    return this.#attempt({ method: 'link', name: null, address }, paced, async () => {
      const isRight = await this.links.use(secret);
      return isRight ? { signedIn: { method: 'link', name: LINK_NAME, subject: null, groups: [] } } : null;
    });
  }

  /** A browser in which the operator has signed in before has a pace of its own, and goes before strangers. */
  async byPassword(name: string, password: string, { address, marks }: Caller): Promise<SignInOutcome> {
    const user = this.config.operators.users.get(name);
    const browser = user === undefined ? null : browserKnownTo(marks, name, user.passwordHash);
    // A name alone has no pace: who knows it could keep its owner out.
    const strange = [addressKey(address), `name ${name} from ${networkOf(address)}`];
    const keys = browser === null ? strange : [`browser ${browser}`];
    const paced = { keys, turn: () => this.#line.enter(keys[0]!, browser !== null) };
    return this.#attempt({ method: 'password', name, address }, paced, async () => {
      const isRight = await isPassword(password, user?.passwordHash ?? (await this.#decoyHash()));
      if (!isRight || user === undefined) return null;
      const id = browser ?? Buffer.from(this.randomness.bytes(ID_BYTES)).toString('base64url');
      return {
        signedIn: { method: 'password', name, subject: null, groups: [] },
        marks: marksAfter(marks, { id, name, passwordHash: user.passwordHash }),
      };
    });
  }

  async #attempt(
    attempt: RefusedSignIn,
    { keys, turn }: Paced,
    check: () => Promise<{ readonly signedIn: SignedIn; readonly marks?: string } | null>,
  ): Promise<SignInOutcome> {
    const { method } = attempt;
    const refusedMs = this.throttle.waitMs(keys);
    const end = refusedMs > 0 ? null : await turn();
    // Others from the same address may have been heard while it waited.
    const waitMs = end === null ? refusedMs || LINE_IS_FULL_MS : this.throttle.attempt(keys);
    let wasRefused = false;
    try {
      if (waitMs > 0) {
        this.metrics.count(method, 'throttled');
        return { kind: 'throttled', waitMs };
      }
      const proved = await check();
      this.metrics.count(method, proved === null ? 'refused' : 'signed-in');
      wasRefused = proved === null;
      if (proved === null) {
        this.log.refused(attempt);
        return { kind: 'refused' };
      }
      this.throttle.succeeded(keys);
      return { kind: 'signed-in', ...proved };
    } finally {
      end?.(wasRefused);
    }
  }

  /** Compared if there is no such user, so that the answer takes as long. */
  async #decoyHash(): Promise<string> {
    this.#decoy ??= hashPassword('');
    return this.#decoy;
  }
}

function addressKey(address: string): string {
  return `address ${networkOf(address)}`;
}
