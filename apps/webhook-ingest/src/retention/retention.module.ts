import { Module } from '@nestjs/common';
import { OperationsModule } from '../operations/operations.module.ts';
import { EraseOrder } from './erase-order.service.ts';
import { ErasuresController } from './erasures.controller.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { ForgetOld } from './forget-old.service.ts';
import { RetentionRepository } from './retention.repository.ts';
import { UserErasuresController } from './user-erasures.controller.ts';
import { UserErasuresRepository } from './user-erasures.repository.ts';

/** `/api/erasures`, and what is forgotten after its days. */
@Module({
  imports: [OperationsModule],
  controllers: [ErasuresController, UserErasuresController],
  providers: [ErasuresRepository, UserErasuresRepository, RetentionRepository, EraseOrder, ForgetOld],
})
export class RetentionModule {}
