import { TokenDigests, type TokenHolder } from '@gondola/shared/token-digests';

/** The scheme that a sender may put in front of the token as registered (rule 3). */
const SCHEME = /^(?:bearer|basic) +/i;
/** More than Node allows for all headers of a request. */
const MAX_HEADER_LENGTH = 16_384;

/**
 * Finds a sender by the `Authorization` header (docs/platform.md, "Authentication" 4): the
 * `authToken` as sent or with its scheme in front.
 */
export class TokenDirectory {
  readonly #digests: TokenDigests;

  /** A tenant has at most two tokens, so that one can replace the other. */
  constructor(holders: readonly TokenHolder[]) {
    this.#digests = new TokenDigests(holders);
  }

  /**
   * Tenant of the token in the header; null for an unknown token. With `expected`, only that tenant's tokens count.
   */
  tenantOf(authorization: string | undefined, expected?: string): string | null {
    const header = (authorization ?? '').slice(0, MAX_HEADER_LENGTH);
    const bare = header.replace(SCHEME, '');
    return this.#digests.tenantOf(bare === header ? [header] : [header, bare], expected);
  }
}
