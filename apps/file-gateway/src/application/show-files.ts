import type { Commands, OpenCommand } from '@gondola/messaging/commands/commands';
import type { Database } from '@gondola/service-kit/database/database';
import type { Lanes, LaneState } from '@gondola/messaging/lanes/lanes';
import type { CountStore, TableCounts } from './file-stores.ts';
import type { LaneKind } from '../domain/read-file-command.ts';
import { type Attempt, operationIdsOf } from '@gondola/shared/commands/attempts';

/** A lane for operators: what is open in it and what that waits for. */
export interface ShownLane extends Omit<LaneState, 'id'> {
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
  readonly lanes: Lanes;
  readonly counts: CountStore;
}

export interface FileCounts extends TableCounts {
  readonly openCommands: readonly { readonly tenant: string; readonly command: string; readonly open: number }[];
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
    const found = await lanes.find({ tenant, kind, identity });
    if (found === null) return null;
    const { id, ...state } = found;
    const open = await commands.open(database, id, MAX_OPEN_SHOWN);
    return { tenant, kind, identity, ...state, openCommands: open.map(shownCommand) };
  }

  async counts(): Promise<FileCounts> {
    const { database, commands, counts } = this.#parts;
    const [tables, open] = await Promise.all([counts.counts(), commands.countOpen(database)]);
    const { uploads, skus, orders } = tables;
    // A name may be open in lanes of both kinds.
    const byName = Map.groupBy(open, ({ tenant, command }) => JSON.stringify([tenant, command]));
    const openCommands = [...byName.values()].map((each) => {
      const { tenant, command } = each[0]!;
      return { tenant, command, open: each.reduce((sum, count) => sum + count.open, 0) };
    });
    return { uploads, openCommands, skus, orders };
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
    operationIds: operationIdsOf({ sendings: sendings ?? [] }),
    blocked: blocked ?? null,
    waitingSince: waitingSince ?? null,
  };
}

/** What the progress of any kind of command may have. */
interface AnyProgress {
  readonly sendings?: readonly Attempt[];
  readonly blocked?: string | null;
  readonly waitingSince?: string | null;
}

function progressOf({ progress }: OpenCommand): AnyProgress {
  return progress === null ? {} : (JSON.parse(progress) as AnyProgress);
}
