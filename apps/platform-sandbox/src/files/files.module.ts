import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { FileStore } from './file-store.service.ts';
import { FilesController } from './files.controller.ts';
import { FilesRepository } from './files.repository.ts';
import { FormUploads } from './form-uploads.service.ts';

/** Contents of uploaded files, and `GET /files/{id}/{name}`, the target of their URLs. */
@Starts(FileStore)
@Module({
  controllers: [FilesController],
  providers: [FilesRepository, FileStore, FormUploads],
  exports: [FilesRepository, FileStore, FormUploads],
})
export class FilesModule {}
