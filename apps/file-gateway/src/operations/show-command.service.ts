import { Commands } from '@gondola/messaging/commands/commands';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { CommandResultsRepository } from '../commands/command-results.repository.ts';
import { FILE_COMMANDS } from '../commands/file-command-identity.ts';
import type { ShownFileCommand } from './commands.dto.ts';
import { shownCommand } from './show-files.service.ts';

/** Outcome of a command, or what the command waits for. */
@Injectable()
export class ShowCommand {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly results: CommandResultsRepository,
  ) {}

  /** Null if no record named the command. */
  async show(tenant: string, commandId: string): Promise<ShownFileCommand | null> {
    const [found] = await this.commands.named(this.database, tenant, FILE_COMMANDS, [commandId]);
    if (found === undefined) return null;
    const { outcome, finishedAt } = found;
    const result = outcome === null ? null : await this.results.find(found.id);
    return { tenant, ...shownCommand(found), outcome, finishedAt, result };
  }
}
