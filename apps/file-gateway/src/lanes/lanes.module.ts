import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Module, type OnModuleInit } from '@nestjs/common';
import { LANE_KINDS } from '../commands/file-command-identity.ts';
import { FileCommandsConsumer } from '../commands/file-commands.consumer.ts';
import { FileCommandsModule } from '../commands/file-commands.module.ts';
import { FilesModule } from '../files/files.module.ts';
import { ImagesModule } from '../images/images.module.ts';
import { InvoicesModule } from '../invoices/invoices.module.ts';
import { TurnsModule } from '../turns/turns.module.ts';
import { FileSteps } from './file-steps.service.ts';
import { RunFileLanes } from './run-file-lanes.service.ts';
import { SaveFileStep } from './save-file-step.service.ts';

/**
 * Works off the lanes of `erp.files.commands.v1`: calls the platform and publishes results. Images and invoices
 * have separate workers, so that large images do not delay invoices.
 */
@Module({
  imports: [FileCommandsModule, FilesModule, ImagesModule, InvoicesModule, TurnsModule],
  controllers: [FileCommandsConsumer],
  providers: [FileSteps, RunFileLanes, SaveFileStep],
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
