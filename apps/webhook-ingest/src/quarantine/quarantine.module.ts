import { Module } from '@nestjs/common';
import { InboxModule } from '../inbox/inbox.module.ts';
import { OperationsModule } from '../operations/operations.module.ts';
import { RelayModule } from '../relay/relay.module.ts';
import { QuarantineController } from './quarantine.controller.ts';
import { QuarantineRepository } from './quarantine.repository.ts';
import { SettleQuarantined } from './settle-quarantined.service.ts';

/** `/api/quarantine` */
@Module({
  imports: [InboxModule, RelayModule, OperationsModule],
  controllers: [QuarantineController],
  providers: [QuarantineRepository, SettleQuarantined],
})
export class QuarantineModule {}
