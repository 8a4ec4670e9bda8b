import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { ActionsModule } from '../actions/actions.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { ForgetOld } from './forget-old.service.ts';

@Starts(ForgetOld)
@Module({ imports: [ActionsModule, SessionsModule], providers: [ForgetOld] })
export class RetentionModule {}
