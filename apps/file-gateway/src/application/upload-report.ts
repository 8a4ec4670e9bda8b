import type { Logger } from '@gondola/service-kit/logging/logger';
import { Counter, type Registry } from 'prom-client';

/** What ended an upload over HTTP. */
export type UploadEnd = 'stored' | 'not-supported' | 'too-large' | 'malformed' | 'broken-off' | 'not-stored';

/** What operators see of uploads: one log line each, and counts. No content, no names of files. */
export class UploadReport {
  readonly #logger: Logger;
  readonly #uploads: Counter<'outcome'>;
  readonly #bytes: Counter;

  constructor({ registry, logger }: { readonly registry: Registry; readonly logger: Logger }) {
    const registers = [registry];
    this.#logger = logger;
    this.#uploads = new Counter({
      name: 'gondola_uploads_total',
      help: 'Uploads by HTTP, by what ended them',
      labelNames: ['outcome'],
      registers,
    });
    this.#bytes = new Counter({ name: 'gondola_upload_bytes_total', help: 'Bytes of stored uploads', registers });
  }

  uploaded(tenant: string, outcome: UploadEnd, stored?: { readonly uploadId: string; readonly size: number }): void {
    this.#uploads.inc({ outcome });
    this.#bytes.inc(stored?.size ?? 0);
    const fields = { tenant, outcome, uploadId: stored?.uploadId, bytes: stored?.size };
    if (outcome === 'not-stored') this.#logger.error(fields, 'An upload could not be stored');
    else this.#logger.info(fields, 'Upload ended');
  }
}
