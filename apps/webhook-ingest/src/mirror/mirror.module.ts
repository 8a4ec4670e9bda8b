import { Module } from '@nestjs/common';
import { MirrorController } from './mirror.controller.ts';
import { MirrorDeliveries } from './mirror-deliveries.repository.ts';
import { MirrorMetrics } from './mirror.metrics.ts';
import { MirrorSender } from './mirror-sender.service.ts';

/** Passes each stored notification on to another receiver of its tenant, and `/api/mirror`. */
@Module({
  controllers: [MirrorController],
  providers: [MirrorDeliveries, MirrorMetrics, MirrorSender],
  exports: [MirrorDeliveries],
})
export class MirrorModule {}
