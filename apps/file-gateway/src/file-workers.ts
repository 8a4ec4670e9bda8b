import { randomBytes } from 'node:crypto';
import { Attempts } from '@gondola/messaging/commands/attempts';
import type { CommandReport } from '@gondola/messaging/commands/command-report';
import type { Commands } from '@gondola/messaging/commands/commands';
import { StepSaver } from '@gondola/messaging/commands/step-saver';
import { LaneWorker } from '@gondola/messaging/lanes/lane-worker';
import type { Lanes } from '@gondola/messaging/lanes/lanes';
import type { Outbox } from '@gondola/messaging/outbox/outbox';
import type { Database } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { MAX_ATTEMPTS, retrySettings } from '@gondola/shared/commands/retry';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import type { Consumed } from './lanes/command-turn.service.ts';
import type { PlatformAdapter } from './platform/platform.adapter.ts';
import type { AppliedImagesRepository } from './images/applied-images.repository.ts';
import type { FailuresRepository } from './notifications/failures.repository.ts';
import type { InvoiceFilesRepository } from './invoices/invoice-files.repository.ts';
import type { OrderIdsRepository } from './notifications/order-ids.repository.ts';
import type { SkusRepository } from './skus/skus.repository.ts';
import type { UploadsRepository } from './uploads/uploads.repository.ts';
import { CheckInvoicePdf } from './invoices/check-invoice-pdf.service.ts';
import { PublishSkuImages } from './images/publish-images.service.ts';
import { ReadInvoice } from './invoices/read-invoice.service.ts';
import { RunFileLanes } from './lanes/run-file-lanes.service.ts';
import { UploadInvoicePdf } from './invoices/upload-invoice-pdf.service.ts';
import type { Config } from './config.ts';
import type { UploadSettings } from './lanes/decide-upload.ts';
import { FILE_COMMANDS, FILE_RESULTS } from './commands/read-file-command.ts';
import { aboutFileCommand, LANE_KINDS } from './commands/read-file-command.ts';

/** What the workers of all tenants share. */
export interface FileWorkerParts {
  readonly database: Database;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly outbox: Outbox;
  readonly uploads: UploadsRepository;
  readonly skus: SkusRepository;
  readonly failures: FailuresRepository;
  readonly orderIds: OrderIdsRepository;
  readonly applied: AppliedImagesRepository;
  readonly invoiceFiles: InvoiceFilesRepository;
  readonly report: Pick<CommandReport, 'saved'>;
  readonly relay: { wake(): void };
  readonly logger: Logger;
  readonly now: () => number;
  readonly consumed: Consumed;
}

/** Steps that find a place although all calls are under way. */
const STEPS_WITHOUT_CALLS = 2;

/** The workers of one tenant: one for the images, one for the invoices, so that large images hold up no invoice. */
export function fileWorkers(
  { times, images }: Pick<Config, 'times' | 'images'>,
  tenant: TenantConfig,
  platform: PlatformAdapter,
  parts: FileWorkerParts,
): LaneWorker[] {
  const { id, language, deadlines } = tenant;
  const settings = uploadSettings(times, deadlines);
  const common = { ...parts, platform, language, attempts: new Attempts(parts) };
  const { referencesMs } = deadlines;
  const { referenceCheckMs } = times;
  const run = new RunFileLanes({
    ...common,
    publishImages: new PublishSkuImages({
      ...common,
      settings: { ...settings, referencesMs, referenceCheckMs },
      requestLimitBytes: images.requestMaxBytes,
    }),
    checkPdf: new CheckInvoicePdf({ ...common, invoiceMs: deadlines.invoiceMs }),
    // An order has one invoice file: a second upload takes the place of the first, so a silent one may go again once
    // nothing is seen of it.
    uploadPdf: new UploadInvoicePdf({
      ...common,
      settings: { ...settings, resendSilentMs: deadlines.commandMs / MAX_ATTEMPTS },
    }),
    readInvoice: new ReadInvoice({ ...common, deadlineMs: deadlines.commandMs }),
    save: new StepSaver({
      ...parts,
      topics: { commands: FILE_COMMANDS, results: FILE_RESULTS },
      aboutOf: (_lane, command) => aboutFileCommand(command?.value ?? null),
    }),
    randomBytes,
  });
  return LANE_KINDS.map(
    (kind) =>
      new LaneWorker({
        name: `${kind} of ${id}`,
        lanes: parts.lanes,
        tenant: id,
        kind,
        batchSize: 1,
        concurrency: tenant.platform.concurrency + STEPS_WITHOUT_CALLS,
        leaseMs: times.leaseMs,
        step: (claimed, signal) => run.step(claimed, signal),
        logger: parts.logger,
      }),
  );
}

/** Images are added to those that are there, so a silent upload of them never goes again: `resendSilentMs` is null. */
function uploadSettings(
  { lostAnswerMs, readBackMs }: Config['times'],
  { commandMs: deadlineMs, settleMs: presumeMs }: TenantConfig['deadlines'],
): UploadSettings {
  const retry = retrySettings({ deadlineMs, lostAnswerMs });
  return { ...retry, readBackMs, refusalSettleMs: retry.lostAnswerMs, resendSilentMs: null, presumeMs };
}
