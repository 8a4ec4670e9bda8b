import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { BeginSession } from './begin-session.service.ts';
import { BrowserMarks } from './browser-marks.adapter.ts';
import { Oidc } from './oidc.adapter.ts';
import { OidcController } from './oidc.controller.ts';
import { SessionController } from './session.controller.ts';
import { SignIn } from './sign-in.service.ts';
import { SignInLinks } from './sign-in-links.service.ts';
import { SignInLog } from './sign-in-log.service.ts';
import { SignInMetrics } from './sign-in.metrics.ts';
import { Throttle } from './throttle.service.ts';

@Starts(SignInLinks)
@Module({
  imports: [SessionsModule],
  controllers: [SessionController, OidcController],
  providers: [BeginSession, BrowserMarks, Oidc, SignIn, SignInLinks, SignInLog, SignInMetrics, Throttle],
})
export class SignInModule {}
