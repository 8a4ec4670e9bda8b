import { randomBytes } from 'node:crypto';
import type { Attempts } from '@gondola/messaging/commands/attempts';
import type { Commands } from '@gondola/messaging/commands/commands';
import type { StepSaver } from '@gondola/messaging/commands/step-saver';
import type { LaneSteps } from '@gondola/messaging/lanes/lane-workers';
import type { Lanes } from '@gondola/messaging/lanes/lanes';
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
import { LANE_KINDS } from './commands/read-file-command.ts';

/** What the workers of all tenants share. */
export interface FileWorkerParts {
  readonly database: Database;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly attempts: Attempts;
  readonly save: StepSaver;
  readonly uploads: UploadsRepository;
  readonly skus: SkusRepository;
  readonly failures: FailuresRepository;
  readonly orderIds: OrderIdsRepository;
  readonly applied: AppliedImagesRepository;
  readonly invoiceFiles: InvoiceFilesRepository;
  readonly logger: Logger;
  readonly now: () => number;
  readonly consumed: Consumed;
}

/** The steps of one tenant: images and invoices apart, so that large images hold up no invoice. */
export function fileSteps(
  { times, images }: Pick<Config, 'times' | 'images'>,
  tenant: TenantConfig,
  platform: PlatformAdapter,
  parts: FileWorkerParts,
): LaneSteps[] {
  const { language, deadlines } = tenant;
  const settings = uploadSettings(times, deadlines);
  const common = { ...parts, platform, language };
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
    randomBytes,
  });
  return LANE_KINDS.map((kind) => ({
    kind,
    batchSize: 1,
    step: (claimed, signal) => run.step(claimed, signal),
  }));
}

/** Images are added to those that are there, so a silent upload of them never goes again: `resendSilentMs` is null. */
function uploadSettings(
  { lostAnswerMs, readBackMs }: Config['times'],
  { commandMs: deadlineMs, settleMs: presumeMs }: TenantConfig['deadlines'],
): UploadSettings {
  const retry = retrySettings({ deadlineMs, lostAnswerMs });
  return { ...retry, readBackMs, refusalSettleMs: retry.lostAnswerMs, resendSilentMs: null, presumeMs };
}
