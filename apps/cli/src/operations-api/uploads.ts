import type { ApiFailure } from './operations-api.ts';

/** An upload as file-gateway describes it. */
export interface Upload {
  readonly kind: 'upload';
  readonly uploadId: string;
  readonly sha256: string;
  readonly size: number;
  readonly mediaType: string;
  readonly expiresAt: string;
}

/** Sends contents to file-gateway with the upload token of a tenant. */
export interface Uploads {
  /** Upload with this content, if it is stored already; else null. */
  find(sha256: string): Promise<Upload | ApiFailure | null>;
  /** Sends a file while it is read; `progressed` receives the number of bytes so far. */
  send(
    file: { readonly path: string; readonly size: number },
    progressed: (bytes: number) => void,
  ): Promise<Upload | ApiFailure>;
}
