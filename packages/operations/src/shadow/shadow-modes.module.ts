import { Global, Module } from '@nestjs/common';

import { ShadowModes } from '@gondola/lanes/modes/shadow-modes';
import { Starts } from '@gondola/service-kit/run/startable';

import { ShadowModesController } from './shadow-modes.controller.ts';

/** In which mode the tenants are, for all that an app decides, and the routes that change it. */
@Starts(ShadowModes)
@Global()
@Module({ controllers: [ShadowModesController], providers: [ShadowModes], exports: [ShadowModes] })
export class ShadowModesModule {}
