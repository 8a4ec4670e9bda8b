import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { FilesModule } from '../files/files.module.ts';
import { AcceptOperation } from './accept-operation.service.ts';
import { CoreWorker } from './core-worker.service.ts';
import { OperationsRepository } from './operations.repository.ts';

/** Takes accepted calls from `operations` and passes each to the step that `@Takes` its kind. */
@Starts(CoreWorker)
@Module({
  imports: [DiscoveryModule, FilesModule],
  providers: [OperationsRepository, AcceptOperation, CoreWorker],
  exports: [OperationsRepository, AcceptOperation],
})
export class CoreModule {}
