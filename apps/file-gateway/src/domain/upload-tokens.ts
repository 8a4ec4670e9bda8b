import { createHash, timingSafeEqual } from 'node:crypto';

/** Whose upload tokens are valid. */
export interface TokenHolder {
  readonly id: string;
  readonly tokens: readonly string[];
}

interface Entry {
  readonly tenant: string;
  readonly digest: Uint8Array;
}

const BEARER = /^bearer +(\S+) *$/i;

/**
 * Tells an uploader by `Authorization: Bearer <upload token>`, which names the tenant. Digests are compared, all of them, each in full, so that
 * the time taken says nothing about any of them.
 */
export class UploadTokens {
  readonly #entries: readonly Entry[];

  constructor(holders: readonly TokenHolder[]) {
    this.#entries = holders.flatMap(({ id, tokens }) =>
      tokens.map((token) => ({ tenant: id, digest: digestOf(token) })),
    );
  }

  /** The tenant whose token was shown; null for nobody's. */
  tenantOf(authorization: string | undefined): string | null {
    const shown = BEARER.exec(authorization ?? '')?.[1];
    if (shown === undefined) return null;
    const digest = digestOf(shown);
    let found: string | null = null;
    for (const entry of this.#entries) {
      if (timingSafeEqual(entry.digest, digest)) found = entry.tenant;
    }
    return found;
  }
}

function digestOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
