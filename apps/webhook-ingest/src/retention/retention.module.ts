import { Module } from '@nestjs/common';
import { InboxModule } from '../inbox/inbox.module.ts';
import { OperationsModule } from '../operations/operations.module.ts';
import { EraseOrder } from './erase-order.service.ts';
import { ErasuresController } from './erasures.controller.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { ForgetOld } from './forget-old.service.ts';
import { RetentionRepository } from './retention.repository.ts';
import { UserErasuresController } from './user-erasures.controller.ts';

/** `/api/erasures`, and the retention of received content. */
@Module({
  imports: [InboxModule, OperationsModule],
  controllers: [ErasuresController, UserErasuresController],
  providers: [ErasuresRepository, RetentionRepository, EraseOrder, ForgetOld],
})
export class RetentionModule {}
