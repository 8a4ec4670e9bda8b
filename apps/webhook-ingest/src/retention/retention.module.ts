import { Module } from '@nestjs/common';
import { InboxModule } from '../inbox/inbox.module.ts';
import { MirrorModule } from '../mirror/mirror.module.ts';
import { EraseReceived } from './erase-received.service.ts';
import { ErasuresController } from './erasures.controller.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { ForgetOld } from './forget-old.service.ts';
import { RetentionRepository } from './retention.repository.ts';

/** `/api/erasures`, and the retention of received content. */
@Module({
  imports: [InboxModule, MirrorModule],
  controllers: [ErasuresController],
  providers: [ErasuresRepository, RetentionRepository, EraseReceived, ForgetOld],
})
export class RetentionModule {}
