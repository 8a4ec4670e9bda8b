import { Module } from '@nestjs/common';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { SftpDrop } from './sftp-drop.service.ts';
import { SftpMetrics } from './sftp.metrics.ts';

/** Delivery of images by SFTP. */
@Module({ imports: [UploadsModule], providers: [SftpDrop, SftpMetrics], exports: [SftpDrop] })
export class SftpModule {}
