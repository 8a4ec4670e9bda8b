import { hash, timingSafeEqual } from 'node:crypto';

/** Whose webhook tokens are valid: two per tenant at most, so that one can replace the other. */
export interface TokenHolder {
  readonly id: string;
  readonly tokens: readonly string[];
}

interface Entry {
  readonly tenant: string;
  readonly digest: Uint8Array;
}

/** The scheme that a sender may put in front of the token as registered (rule 3). */
const SCHEME = /^(?:bearer|basic) +/i;
/** Longer than any header Node lets through would be, were it made of one token. */
const MAX_HEADER_LENGTH = 16_384;

/**
 * Tells a sender by the `Authorization` header (platform-api.md, Authentication 4): the `authToken` as sent or with its scheme in front.
 * Digests are compared, all of them, each in full, so that the time taken says nothing about any of them.
 */
export class TokenDirectory {
  readonly #entries: readonly Entry[];

  constructor(holders: readonly TokenHolder[]) {
    this.#entries = holders.flatMap(({ id, tokens }) =>
      tokens.map((token) => ({ tenant: id, digest: digestOf(token) })),
    );
  }

  /** The tenant whose token was shown; null for nobody's. With `expected`, only that tenant's tokens count. */
  tenantOf(authorization: string | undefined, expected?: string): string | null {
    const header = (authorization ?? '').slice(0, MAX_HEADER_LENGTH);
    const bare = header.replace(SCHEME, '');
    const shown = bare === header ? [digestOf(header)] : [digestOf(header), digestOf(bare)];
    let found: string | null = null;
    for (const { tenant, digest } of this.#entries) {
      const matches = shown.map((candidate) => timingSafeEqual(candidate, digest)).includes(true);
      if (matches && (expected === undefined || expected === tenant)) found = tenant;
    }
    return found;
  }
}

function digestOf(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}
