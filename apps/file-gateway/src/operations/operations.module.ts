import { Module } from '@nestjs/common';
import { CountsRepository } from './counts.repository.ts';
import { FilesController } from './files.controller.ts';
import { ShowFiles } from './show-files.service.ts';

/** `GET /api/counts`, `/api/skus/{externalReference}/images`, `/api/orders/{number}/invoice` */
@Module({ controllers: [FilesController], providers: [ShowFiles, CountsRepository] })
export class OperationsModule {}
