import { Module } from '@nestjs/common';
import { ActionsModule } from '../actions/actions.module.ts';
import { ListSessions } from './list-sessions.service.ts';
import { SessionsApiController, SessionsController } from './sessions.controller.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';

@Module({
  imports: [ActionsModule, SessionsModule],
  controllers: [SessionsController, SessionsApiController],
  providers: [ListSessions],
})
export class SessionListModule {}
