import { Commands, type OpenCommand } from '@gondola/lanes/commands/commands';
import { Database } from '@gondola/service-kit/database/database';
import { Lanes } from '@gondola/lanes/lanes/lanes';
import { type Attempt, operationIdsOf } from '@gondola/shared/commands/attempts';
import { Injectable } from '@nestjs/common';
import { CountsRepository } from './counts.repository.ts';
import { CommandResultsRepository } from '../commands/command-results.repository.ts';
import { FILE_COMMANDS } from '../commands/file-command-identity.ts';
import type { LaneKind } from '../lane-kinds.ts';
import type { ShownFileCommand } from './commands.dto.ts';
import type { FileCounts, OpenFileCommand, ShownLane } from './files.dto.ts';

const MAX_OPEN_SHOWN = 50;

/** States and counts of lanes and commands, for operators: no content. */
@Injectable()
export class ShowFiles {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly lanes: Lanes,
    private readonly tables: CountsRepository,
    private readonly results: CommandResultsRepository,
  ) {}

  /** Null if no command ever named the entity. */
  async lane(tenant: string, kind: LaneKind, identity: string): Promise<ShownLane | null> {
    const found = await this.lanes.find({ tenant, kind, identity });
    if (found === null) return null;
    const { id, ...state } = found;
    const open = await this.commands.open(this.database, id, MAX_OPEN_SHOWN);
    return { tenant, kind, identity, ...state, openCommands: open.map(shownCommand) };
  }

  /** Outcome of a command, or what it waits for; null if no record named it. */
  async command(tenant: string, commandId: string): Promise<ShownFileCommand | null> {
    const [found] = await this.commands.named(this.database, tenant, FILE_COMMANDS, [commandId]);
    if (found === undefined) return null;
    const { outcome, finishedAt } = found;
    const result = outcome === null ? null : await this.results.find(found.id);
    return { tenant, ...shownCommand(found), outcome, finishedAt, result };
  }

  /** Counts of a tenant, or of all (null). */
  async counts(tenant: string | null): Promise<FileCounts> {
    const [tables, open] = await Promise.all([
      this.tables.counts(tenant),
      this.commands.countOpen(this.database, tenant),
    ]);
    // A command name may be open in lanes of both kinds.
    const byName = Map.groupBy(open, ({ tenant, command }) => JSON.stringify([tenant, command]));
    const openCommands = [...byName.values()].map((each) => {
      const { tenant, command } = each[0]!;
      return { tenant, command, open: each.reduce((sum, count) => sum + count.open, 0) };
    });
    return { ...tables, openCommands };
  }
}

/** An open command for operators, as a plain object. */
function shownCommand(open: OpenCommand): Pick<OpenFileCommand, keyof OpenFileCommand> {
  const { commandId, command, receivedAt, attempts, firstSentAt, deadlineAt } = open;
  const { attempts: made, blocked, waitingSince } = progressOf(open);
  return {
    commandId,
    command,
    receivedAt,
    attempts,
    firstSentAt,
    deadlineAt,
    operationIds: operationIdsOf({ attempts: made ?? [] }),
    blocked: blocked ?? null,
    waitingSince: waitingSince ?? null,
  };
}

/** Fields of a command's progress, whatever its kind. */
interface AnyProgress {
  readonly attempts?: readonly Attempt[];
  readonly blocked?: string | null;
  readonly waitingSince?: string | null;
}

function progressOf({ progress }: OpenCommand): AnyProgress {
  return progress === null ? {} : (JSON.parse(progress) as AnyProgress);
}
