import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { ActionsController } from './actions.controller.ts';
import { ActionsRepository } from './actions.repository.ts';

@Module({
  imports: [SessionsModule],
  controllers: [ActionsController],
  providers: [ActionsRepository],
  exports: [ActionsRepository],
})
export class ActionsModule {}
