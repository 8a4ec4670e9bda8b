import { Module } from '@nestjs/common';
import { InboxModule } from '../inbox/inbox.module.ts';
import { RelayModule } from '../relay/relay.module.ts';
import { QuarantineController } from './quarantine.controller.ts';
import { QuarantineMetrics } from './quarantine.metrics.ts';
import { QuarantineRepository } from './quarantine.repository.ts';
import { SettleQuarantined } from './settle-quarantined.service.ts';

/** `/api/quarantine` */
@Module({
  imports: [InboxModule, RelayModule],
  controllers: [QuarantineController],
  providers: [QuarantineRepository, QuarantineMetrics, SettleQuarantined],
})
export class QuarantineModule {}
