import type { Commands, OpenCommand } from '@gondola/messaging/commands/commands';
import type { Database } from '@gondola/service-kit/database/database';
import type { FileCounts, LaneStore, ShownLaneState } from './file-stores.ts';
import type { LaneKind } from '../domain/read-file-command.ts';
import { operationIdsOf, type Sending } from '../domain/sendings.ts';

/** A lane for operators: what is open in it and what that waits for. */
export interface ShownLane extends ShownLaneState {
  readonly tenant: string;
  readonly kind: LaneKind;
  readonly identity: string;
  /** Oldest first. */
  readonly openCommands: readonly ShownCommand[];
}

interface ShownCommand {
  readonly commandId: string;
  readonly command: string;
  readonly receivedAt: string;
  readonly attempts: number;
  readonly firstSentAt: string | null;
  readonly deadlineAt: string | null;
  readonly operationIds: readonly string[];
  /** Why the next call could not be made yet. */
  readonly blocked: string | null;
  /** Since when its SKU is waited for. */
  readonly waitingSince: string | null;
}

export interface ShowFilesParts {
  readonly database: Database;
  readonly commands: Commands;
  readonly lanes: LaneStore;
}

const MAX_OPEN_SHOWN = 50;

/** What operators see of SKU's images and orders' invoices: states and counts, no content. */
export class ShowFiles {
  readonly #parts: ShowFilesParts;

  constructor(parts: ShowFilesParts) {
    this.#parts = parts;
  }

  /** Null where no command ever named it. */
  async lane(tenant: string, kind: LaneKind, identity: string): Promise<ShownLane | null> {
    const { lanes, commands, database } = this.#parts;
    const found = await lanes.find(tenant, kind, identity);
    if (found === null) return null;
    const { id, ...state } = found;
    const open = await commands.heads(database, [id], MAX_OPEN_SHOWN);
    return { tenant, kind, identity, ...state, openCommands: open.map(shownCommand) };
  }

  async counts(): Promise<FileCounts> {
    return this.#parts.lanes.counts();
  }
}

function shownCommand(open: OpenCommand): ShownCommand {
  const { commandId, command, receivedAt, attempts, firstSentAt, deadlineAt } = open;
  const { sendings, blocked, waitingSince } = progressOf(open);
  return {
    commandId,
    command,
    receivedAt,
    attempts,
    firstSentAt,
    deadlineAt,
    operationIds: operationIdsOf(sendings ?? []),
    blocked: blocked ?? null,
    waitingSince: waitingSince ?? null,
  };
}

/** What the progress of any kind of command may have. */
interface AnyProgress {
  readonly sendings?: readonly Sending[];
  readonly blocked?: string | null;
  readonly waitingSince?: string | null;
}

function progressOf({ progress }: OpenCommand): AnyProgress {
  return progress === null ? {} : (JSON.parse(progress) as AnyProgress);
}
