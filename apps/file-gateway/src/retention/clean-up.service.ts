import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import { CommandResultsRepository } from '../commands/command-results.repository.ts';
import { AppliedImagesRepository } from '../images/applied-images.repository.ts';
import { ImageUploadsRepository } from '../images/image-uploads.repository.ts';
import { InvoiceFilesRepository } from '../invoices/invoice-files.repository.ts';
import { FailuresRepository } from '../notifications/failures.repository.ts';
import { OrderIdsRepository } from '../notifications/order-ids.repository.ts';
import { UploadsRepository } from '../uploads/uploads.repository.ts';

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
    @Inject(CONFIG) { uploads: { cleanupMs: everyMs } }: { readonly uploads: Pick<Config['uploads'], 'cleanupMs'> },
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ name: 'clean-up', everyMs, run: () => this.run(), logger });
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
