import { Module } from '@nestjs/common';
import { PlatformAdapter } from './platform.adapter.ts';

/** The platform's order routes. */
@Module({ providers: [PlatformAdapter], exports: [PlatformAdapter] })
export class PlatformModule {}
