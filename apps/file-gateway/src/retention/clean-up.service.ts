import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import type { Startable } from '@gondola/service-kit/run/startable';
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
export class CleanUp implements Startable {
  readonly name = 'clean-up';
  readonly #task: RepeatingTask;

  constructor(
    private readonly uploads: UploadsRepository,
    private readonly failures: FailuresRepository,
    private readonly orderIds: OrderIdsRepository,
    private readonly imageUploads: ImageUploadsRepository,
    private readonly appliedImages: AppliedImagesRepository,
    private readonly invoiceFiles: InvoiceFilesRepository,
    private readonly results: CommandResultsRepository,
    @Inject(CONFIG) config: { readonly uploads: Pick<Config['uploads'], 'cleanupMs'> },
    @Inject(LOGGER) logger: Logger,
  ) {
    const { cleanupMs: everyMs } = config.uploads;
    this.#task = new RepeatingTask({ name: this.name, everyMs, run: () => this.run(), logger });
  }

  async start(): Promise<void> {
    await this.#task.start();
  }

  async stop(): Promise<void> {
    await this.#task.stop();
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
