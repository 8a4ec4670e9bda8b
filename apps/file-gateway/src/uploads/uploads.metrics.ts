import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

/** Outcome of an upload by HTTP. */
export type UploadOutcome =
  | 'stored'
  | 'not-supported'
  | 'too-large'
  | 'quota-full'
  | 'malformed'
  | 'broken-off'
  | 'not-stored';

/** Logs one line per upload and counts uploads, without content or file names. */
@Injectable()
export class UploadsMetrics {
  readonly #uploads: Counter<'outcome'>;
  readonly #bytes: Counter;

  constructor(
    registry: Registry,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const registers = [registry];
    this.#uploads = new Counter({
      name: 'gondola_uploads_total',
      help: 'Uploads received by HTTP, by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    this.#bytes = new Counter({ name: 'gondola_upload_bytes_total', help: 'Bytes of stored uploads.', registers });
  }

  uploaded(
    tenant: string,
    outcome: UploadOutcome,
    stored?: { readonly uploadId: string; readonly size: number },
  ): void {
    this.#uploads.inc({ outcome });
    this.#bytes.inc(stored?.size ?? 0);
    const fields = { tenant, outcome, uploadId: stored?.uploadId, bytes: stored?.size };
    if (outcome === 'not-stored') this.logger.error(fields, 'An upload could not be stored');
    else this.logger.info(fields, 'An upload was answered');
  }
}
