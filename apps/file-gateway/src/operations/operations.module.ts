import { Module } from '@nestjs/common';
import { LanesModule } from '../lanes/lanes.module.ts';
import { SkusModule } from '../skus/skus.module.ts';
import { CommandsController } from './commands.controller.ts';
import { CountsRepository } from './counts.repository.ts';
import { FilesController } from './files.controller.ts';
import { GiveCommand } from './give-command.service.ts';
import { ShowFiles } from './show-files.service.ts';

/**
 * `GET /api/counts`, `/api/skus/{externalReference}/images`, `/api/orders/{number}/invoice`,
 * `/api/{categories,products}/{externalReference}/files`, `/api/files/{entityId}`; `POST /api/skus/known`;
 * `POST /api/commands`, `GET /api/commands/{commandId}`
 */
@Module({
  imports: [LanesModule, SkusModule],
  controllers: [CommandsController, FilesController],
  providers: [CountsRepository, GiveCommand, ShowFiles],
})
export class OperationsModule {}
