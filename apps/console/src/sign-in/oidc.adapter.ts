import { CONFIG } from '@gondola/service-kit/config/injected';
import { operatorName } from '@gondola/service-kit/logging/operator';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { Inject, Injectable } from '@nestjs/common';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import type { Config } from '../config.ts';
import type { SignedIn } from '../operators/operator.ts';
import { groupsIn, nameIn, type OidcAttempt, subjectIn } from './oidc-attempt.ts';

const TIMEOUT_S = 10;
const RANDOM_BYTES = 32;

/** Sign-in by OpenID Connect: the code flow with PKCE, state and nonce. The id token's signature is checked. */
@Injectable()
export class Oidc {
  #provider: Promise<Configuration> | undefined;

  constructor(
    private readonly randomness: Randomness,
    @Inject(CONFIG) private readonly config: Pick<Config, 'oidc' | 'console'>,
  ) {}

  newAttempt(): OidcAttempt {
    return { state: this.#random(), nonce: this.#random(), codeVerifier: this.#random() };
  }

  /** Address at the provider to which the browser is sent. */
  async addressFor({ state, nonce, codeVerifier }: OidcAttempt): Promise<URL> {
    return buildAuthorizationUrl(await this.#configuration(), {
      redirect_uri: this.#callback(),
      scope: this.config.oidc?.scope ?? '',
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    });
  }

  /** Who signed in, by the query with which the provider sent the browser back; throws if it proves nobody. */
  async signedInBy(query: string, { state, nonce, codeVerifier }: OidcAttempt): Promise<SignedIn> {
    const tokens = await authorizationCodeGrant(await this.#configuration(), new URL(`${this.#callback()}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims: Record<string, unknown> = tokens.claims() ?? {};
    const name = operatorName(nameIn(claims));
    const subject = subjectIn(claims);
    if (name === null || subject === null) throw new Error('The id token names nobody');
    return { method: 'oidc', name, subject, groups: groupsIn(claims[this.config.oidc?.groupsClaim ?? '']) };
  }

  /** The provider's own document; asked for again after a failure. */
  async #configuration(): Promise<Configuration> {
    const { oidc } = this.config;
    if (oidc === null) throw new Error('OpenID Connect is not configured');
    const issuer = new URL(oidc.issuer);
    // A provider of this machine, in development, speaks http.
    const onlyHere = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
    this.#provider ??= discovery(issuer, oidc.clientId, oidc.clientSecret, undefined, {
      // Without it the library trusts the connection to the provider alone.
      execute: [enableNonRepudiationChecks, ...onlyHere],
      timeout: TIMEOUT_S,
    }).catch((error: unknown) => {
      this.#provider = undefined;
      throw error;
    });
    return this.#provider;
  }

  #callback(): string {
    return `${this.config.console.origin ?? ''}/session/oidc/callback`;
  }

  #random(): string {
    return Buffer.from(this.randomness.bytes(RANDOM_BYTES)).toString('base64url');
  }
}
