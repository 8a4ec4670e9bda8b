import { Module } from '@nestjs/common';
import { OperatorsModule } from '../operators/operators.module.ts';
import { SessionCookie } from './session-cookie.adapter.ts';
import { SessionGuard } from './session.guard.ts';
import { Sessions } from './sessions.service.ts';

@Module({
  imports: [OperatorsModule],
  providers: [Sessions, SessionCookie, SessionGuard],
  exports: [OperatorsModule, Sessions, SessionCookie, SessionGuard],
})
export class SessionsModule {}
