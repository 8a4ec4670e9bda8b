import { Module } from '@nestjs/common';
import { CommandResultsRepository } from './command-results.repository.ts';

/** Results of concluded commands. */
@Module({ providers: [CommandResultsRepository], exports: [CommandResultsRepository] })
export class FileCommandsModule {}
