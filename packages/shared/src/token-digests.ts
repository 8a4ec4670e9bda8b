import { hash, timingSafeEqual } from 'node:crypto';

/** A tenant and its valid tokens. */
export interface TokenHolder {
  /** Id of the tenant. */
  readonly id: string;
  readonly tokens: readonly string[];
}

interface Entry {
  readonly tenant: string;
  readonly digest: Uint8Array;
}

/**
 * Finds a tenant by one of its tokens. All digests are compared, each in full, so that the time does not depend on
 * any of them; the tokens themselves are not stored.
 */
export class TokenDigests {
  readonly #entries: readonly Entry[];

  constructor(holders: readonly TokenHolder[]) {
    this.#entries = holders.flatMap(({ id, tokens }) =>
      tokens.map((token) => ({ tenant: id, digest: digestOf(token) })),
    );
  }

  /**
   * The tenant to which one of the `shown` tokens belongs; null if none does. With `expected`, only that tenant's
   * tokens count.
   */
  tenantOf(shown: readonly string[], expected?: string): string | null {
    const digests = shown.map(digestOf);
    let found: string | null = null;
    for (const { tenant, digest } of this.#entries) {
      const matches = digests.map((candidate) => timingSafeEqual(candidate, digest)).includes(true);
      if (matches && (expected === undefined || expected === tenant)) found = tenant;
    }
    return found;
  }
}

/** Uses a text as an intermediate step: `hash` takes three times as long if it returns a buffer. */
function digestOf(text: string): Uint8Array {
  return Buffer.from(hash('sha256', text), 'hex');
}
