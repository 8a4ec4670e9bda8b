import { UnsweptRows } from '@gondola/service-kit/run/unswept-rows';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import { CommandResultsRepository, OLDEST_RESULT } from '../commands/command-results.repository.ts';
import { AppliedImagesRepository, OLDEST_IMAGES } from '../images/applied-images.repository.ts';
import { ImageUploadsRepository, OLDEST_IMAGE_UPLOAD } from '../images/image-uploads.repository.ts';
import { InvoiceFilesRepository, OLDEST_INVOICE_FILE } from '../invoices/invoice-files.repository.ts';
import { FailuresRepository, OLDEST_FAILURE, OLDEST_OPERATION } from '../notifications/failures.repository.ts';
import { OLDEST_ORDER_ID, OrderIdsRepository } from '../notifications/order-ids.repository.ts';
import { OLDEST_UPLOAD, UploadsRepository } from '../uploads/uploads.repository.ts';

/** For each table, when its oldest row has to be gone. */
export const OLDEST = {
  uploads: OLDEST_UPLOAD,
  platform_failures: OLDEST_FAILURE,
  file_operations: OLDEST_OPERATION,
  order_ids: OLDEST_ORDER_ID,
  image_uploads: OLDEST_IMAGE_UPLOAD,
  sku_images: OLDEST_IMAGES,
  invoice_files: OLDEST_INVOICE_FILE,
  command_results: OLDEST_RESULT,
};

/** Deletes expired data, repeatedly. */
@Injectable()
export class CleanUp extends RepeatingTask {
  constructor(
    private readonly uploads: UploadsRepository,
    private readonly failures: FailuresRepository,
    private readonly orderIds: OrderIdsRepository,
    private readonly imageUploads: ImageUploadsRepository,
    private readonly appliedImages: AppliedImagesRepository,
    private readonly invoiceFiles: InvoiceFilesRepository,
    private readonly results: CommandResultsRepository,
    unswept: UnsweptRows,
    @Inject(CONFIG) { uploads: { cleanupMs: everyMs } }: { readonly uploads: Pick<Config['uploads'], 'cleanupMs'> },
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ name: 'clean-up', everyMs, run: () => this.run(), logger });
    for (const [table, query] of Object.entries(OLDEST)) unswept.watch(table, query);
  }

  async run(): Promise<void> {
    await this.uploads.deleteExpired();
    await this.failures.deleteOld();
    await this.orderIds.deleteOld();
    await this.imageUploads.deleteOld();
    await this.appliedImages.deleteOld();
    await this.invoiceFiles.deleteOld();
    await this.results.deleteOld();
  }
}
