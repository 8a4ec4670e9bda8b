import type { ApiFailure } from '../operations-api/operations-api.ts';

/** An upload as file-gateway names it. */
export interface Upload {
  readonly kind: 'upload';
  readonly uploadId: string;
  readonly sha256: string;
  readonly size: number;
  readonly mediaType: string;
  readonly expiresAt: string;
}

/** Hands contents over to file-gateway, with the upload token of a tenant. */
export interface Uploads {
  /** The upload of a content that is stored already; null: none is. */
  find(sha256: string): Promise<Upload | ApiFailure | null>;
  /** Sends a file as it is read; `progressed` hears the bytes so far. */
  send(
    file: { readonly path: string; readonly size: number },
    progressed: (bytes: number) => void,
  ): Promise<Upload | ApiFailure>;
}
