import { Module } from '@nestjs/common';
import { OperatorsModule } from '../operators/operators.module.ts';
import { RequestBodies } from './request-bodies.service.ts';
import { SessionCookie } from './session-cookie.adapter.ts';
import { SessionGuard } from './session.guard.ts';
import { Sessions } from './sessions.service.ts';

@Module({
  imports: [OperatorsModule],
  providers: [Sessions, SessionCookie, SessionGuard, RequestBodies],
  exports: [OperatorsModule, Sessions, SessionCookie, SessionGuard],
})
export class SessionsModule {}
