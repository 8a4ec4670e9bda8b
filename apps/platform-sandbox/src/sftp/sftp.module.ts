import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.ts';
import { PlaceFiles } from './place-files.service.ts';
import { SftpServer } from './sftp-server.service.ts';
import { SftpController } from './sftp.controller.ts';

/** Places files received by SFTP, which `POST /v1/Storages/image/upload` links to a SKU. */
@Starts(SftpServer)
@Module({
  imports: [FilesModule],
  controllers: [SftpController],
  providers: [PlaceFiles, SftpServer],
})
export class SftpModule {}
