import { Module } from '@nestjs/common';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { PlatformAdapter } from './platform.adapter.ts';

/** Calls to the platform. */
@Module({ imports: [UploadsModule], providers: [PlatformAdapter], exports: [PlatformAdapter] })
export class PlatformModule {}
