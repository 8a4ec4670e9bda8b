import { TokenDigests, type TokenHolder } from '@gondola/shared/token-digests';

const BEARER = /^bearer +(\S+) *$/i;

/** Recognises an uploader by `Authorization: Bearer <upload token>`, which names the tenant. */
export class UploadTokens {
  readonly #digests: TokenDigests;

  constructor(holders: readonly TokenHolder[]) {
    this.#digests = new TokenDigests(holders);
  }

  /** Tenant of the token in the header; null for an unknown token. */
  tenantOf(authorization: string | undefined): string | null {
    const shown = BEARER.exec(authorization ?? '')?.[1];
    return shown === undefined ? null : this.#digests.tenantOf([shown]);
  }
}
