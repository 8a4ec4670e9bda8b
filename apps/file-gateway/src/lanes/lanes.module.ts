import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { Module, type OnModuleInit } from '@nestjs/common';
import { LANE_KINDS } from '../lane-kinds.ts';
import { FileCommandsConsumer } from '../commands/file-commands.consumer.ts';
import { FileSteps } from './file-steps.service.ts';
import { RunFileLanes } from './run-file-lanes.service.ts';
import { SaveFileStep } from './save-file-step.service.ts';
import { EndUnreadable } from './end-unreadable.service.ts';
import { FailedReads } from '../commands/failed-reads.service.ts';
import { UploadAttempts } from '../commands/upload-attempts.service.ts';
import { ListFiles } from '../files/list-files.service.ts';
import { RemoveFiles } from '../files/remove-files.service.ts';
import { RemoveAllFiles } from '../files/remove-all-files.service.ts';
import { UndoImages } from '../files/undo-images.service.ts';
import { PublishSkuImages } from '../images/publish-images.service.ts';
import { CheckInvoicePdf } from '../invoices/check-invoice-pdf.service.ts';
import { UploadInvoicePdf } from '../invoices/upload-invoice-pdf.service.ts';
import { ReadInvoice } from '../invoices/read-invoice.service.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { ImageDeliveries } from '../images/image-delivery.service.ts';
import { CompareFiles } from '../shadow/compare-files.service.ts';
import { SftpDrop } from '../sftp/sftp-drop.service.ts';
import { SftpMetrics } from '../sftp/sftp.metrics.ts';
import { AppliedImagesRepository } from '../images/applied-images.repository.ts';
import { ImageUploadsRepository } from '../images/image-uploads.repository.ts';
import { InvoiceFilesRepository } from '../invoices/invoice-files.repository.ts';
import { CommandResultsRepository } from '../commands/command-results.repository.ts';
import { CheckContents } from '../contents/check-contents.service.ts';
import { ContentDecoder } from '../contents/content-decoder.adapter.ts';
import { FetchContents } from '../fetching/fetch-contents.service.ts';
import { FetchedContentsRepository } from '../fetching/fetched-contents.repository.ts';
import { AddressRule, HostAddresses } from '../fetching/host-addresses.adapter.ts';
import { PathContent } from '../fetching/path-content.adapter.ts';
import { UrlContent } from '../fetching/url-content.adapter.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { NotificationsModule } from '../notifications/notifications.module.ts';
import { SkusModule } from '../skus/skus.module.ts';

const STEPS = [FileSteps, RunFileLanes, SaveFileStep, FailedReads, UploadAttempts, EndUnreadable];
/** A service for each command. */
const COMMANDS = [
  ListFiles,
  RemoveFiles,
  RemoveAllFiles,
  UndoImages,
  PublishSkuImages,
  CheckInvoicePdf,
  UploadInvoicePdf,
  ReadInvoice,
];
/** Content by URL or path, and whether content is whole. */
const CONTENTS = [
  AddressRule,
  HostAddresses,
  UrlContent,
  PathContent,
  FetchedContentsRepository,
  FetchContents,
  ContentDecoder,
  CheckContents,
];
const PLATFORM = [PlatformAdapter, ImageDeliveries, SftpDrop, SftpMetrics];
/** Knowledge of files and of concluded commands. */
const KNOWLEDGE = [AppliedImagesRepository, ImageUploadsRepository, InvoiceFilesRepository, CommandResultsRepository];

/**
 * Works off the lanes of `erp.files.commands.v1`: calls the platform and publishes results. Images and invoices
 * have separate workers, so that large images do not delay invoices.
 */
@Module({
  imports: [UploadsModule, NotificationsModule, SkusModule],
  controllers: [FileCommandsConsumer],
  providers: [...STEPS, ...COMMANDS, ...CONTENTS, ...PLATFORM, ...KNOWLEDGE, CompareFiles],
  exports: KNOWLEDGE,
})
export class LanesModule implements OnModuleInit {
  constructor(
    private readonly workers: LaneWorkers,
    private readonly run: RunFileLanes,
  ) {}

  onModuleInit(): void {
    for (const kind of LANE_KINDS) {
      this.workers.add({ kind, batchSize: 1, step: (lanes, signal) => this.run.step(lanes, signal) });
    }
  }
}
