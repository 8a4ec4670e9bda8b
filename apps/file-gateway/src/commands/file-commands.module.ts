import { Module } from '@nestjs/common';
import { CommandResultsRepository } from './command-results.repository.ts';

/** What commands ended in. */
@Module({ providers: [CommandResultsRepository], exports: [CommandResultsRepository] })
export class FileCommandsModule {}
