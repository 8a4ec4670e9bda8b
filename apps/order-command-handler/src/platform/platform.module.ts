import { Module } from '@nestjs/common';
import { PlatformAdapter } from './platform.adapter.ts';
import { PlatformClocks } from './platform-clocks.service.ts';

/** The platform's order routes, and its clock. */
@Module({ providers: [PlatformAdapter, PlatformClocks], exports: [PlatformAdapter] })
export class PlatformModule {}
