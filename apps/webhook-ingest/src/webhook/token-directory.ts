import { TokenDigests, type TokenHolder } from '@gondola/shared/token-digests';

/** The scheme that a sender may put in front of the token as registered (rule 3). */
const SCHEME = /^(?:bearer|basic) +/i;
/** Longer than any header Node lets through would be, were it made of one token. */
const MAX_HEADER_LENGTH = 16_384;

/**
 * Finds a sender by the `Authorization` header (docs/platform.md, "Authentication" 4): the `authToken` as sent or with
 * its scheme in front.
 */
export class TokenDirectory {
  readonly #digests: TokenDigests;

  /** Two tokens per tenant at most, so that one can replace the other. */
  constructor(holders: readonly TokenHolder[]) {
    this.#digests = new TokenDigests(holders);
  }

  /** The tenant whose token was shown; null for nobody's. With `expected`, only that tenant's tokens count. */
  tenantOf(authorization: string | undefined, expected?: string): string | null {
    const header = (authorization ?? '').slice(0, MAX_HEADER_LENGTH);
    const bare = header.replace(SCHEME, '');
    return this.#digests.tenantOf(bare === header ? [header] : [header, bare], expected);
  }
}
