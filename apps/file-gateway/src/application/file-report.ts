import type { Logger } from '@gondola/service-kit/logging/logger';
import type { FileCommandName } from '@gondola/shared/files/file-command-content';
import type { Result } from '@gondola/shared/results/result';
import { Counter, type Registry } from 'prom-client';

export interface FileReportOptions {
  readonly registry: Registry;
  readonly logger: Logger;
  /** Tells the relay that the outbox has something. */
  readonly wakeRelay: () => void;
}

/** What ended an upload over HTTP. */
export type UploadEnd = 'stored' | 'not-supported' | 'too-large' | 'malformed' | 'broken-off' | 'not-stored';

/** Whatever else an ERP writes into the field stays out of labels and logs. */
const COMMANDS: Readonly<Record<FileCommandName, true>> = {
  PublishSkuImages: true,
  UndoImageUpload: true,
  ListFiles: true,
  RemoveFiles: true,
  RemoveAllFiles: true,
  ReadInvoice: true,
  CheckInvoicePdf: true,
  UploadInvoicePdf: true,
};

/**
 * What operators see of the work: one log line per ended command and per upload, and counts. No content, no names of
 * files.
 */
export class FileReport {
  readonly #options: FileReportOptions;
  readonly #outcomes: Counter<'command' | 'outcome'>;
  readonly #uploads: Counter<'outcome'>;
  readonly #bytes: Counter;

  constructor(options: FileReportOptions) {
    this.#options = options;
    const registers = [options.registry];
    this.#outcomes = new Counter({
      name: 'gondola_file_command_outcomes_total',
      help: 'File commands that ended, by command and outcome',
      labelNames: ['command', 'outcome'],
      registers,
    });
    this.#uploads = new Counter({
      name: 'gondola_uploads_total',
      help: 'Uploads by HTTP, by what ended them',
      labelNames: ['outcome'],
      registers,
    });
    this.#bytes = new Counter({ name: 'gondola_upload_bytes_total', help: 'Bytes of stored uploads', registers });
  }

  /** After a transaction was committed. */
  told(results: readonly Result[]): void {
    if (results.length === 0) return;
    this.#options.wakeRelay();
    for (const result of results) this.#tell(result);
  }

  uploaded(tenant: string, outcome: UploadEnd, stored?: { readonly uploadId: string; readonly size: number }): void {
    this.#uploads.inc({ outcome });
    this.#bytes.inc(stored?.size ?? 0);
    const fields = { tenant, outcome, uploadId: stored?.uploadId, bytes: stored?.size };
    if (outcome === 'not-stored') this.#options.logger.error(fields, 'An upload could not be stored');
    else this.#options.logger.info(fields, 'Upload ended');
  }

  #tell({
    tenant,
    entity,
    commandId,
    command: name,
    outcome,
    final,
    evidence,
    reason,
    attempts,
    operationIds,
  }: Result) {
    const command = Object.hasOwn(COMMANDS, name) ? name : 'other';
    const skuExternalReference = entity?.kind === 'sku' ? entity.externalReference : undefined;
    const orderNumber = entity?.kind === 'order' ? entity.orderNumber : undefined;
    const about = { tenant, orderNumber, skuExternalReference, commandId, command, outcome };
    const fields = { ...about, evidence, reasonCode: reason?.code, attempts, operationIds };
    if (!final) return this.#options.logger.info(fields, 'Command waits');
    this.#outcomes.inc({ command, outcome });
    this.#options.logger.info(fields, 'Command ended');
  }
}
