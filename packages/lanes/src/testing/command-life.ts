import type { Database } from '@gondola/service-kit/database/database';

import { Commands, type OpenCommand } from '../commands/commands.ts';
import type { NewCommand } from '../commands/new-command.ts';
import { type ClaimedLane, type LaneKey, Lanes, laneText } from '../lanes/lanes.ts';

export const ORDERS = 'erp.orders.commands.v1';

/** A command of an order, claimed as a worker does. */
export interface ClaimedCommand {
  readonly lane: ClaimedLane;
  readonly command: OpenCommand;
}

/** A command, and the lane whose queue it waits in. */
export type QueuedCommand = Pick<NewCommand, 'topic' | 'commandId' | 'command'> &
  Partial<NewCommand> & { readonly lane: LaneKey };

/** Queues commands and wakes their lanes in one transaction, as the intake does. */
export async function insertCommands(database: Database, commands: readonly QueuedCommand[]): Promise<void> {
  await database.transaction(async (tx) => {
    const ids = await new Lanes(database).wake(
      tx,
      commands.map(({ lane }) => lane),
    );
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const items = commands.map(({ lane, ...command }) => ({
      laneId: ids.get(laneText(lane))!,
      tenant: lane.tenant,
      contentHash: command.commandId,
      value: Buffer.from('{}'),
      traceparent,
      ...command,
    }));
    await new Commands().insert(tx, items);
  });
}

/** Queues commands of a tenant by their orders. */
export async function queueCommands(
  database: Database,
  tenant: string,
  queued: readonly {
    readonly order: string;
    readonly commandId: string;
    readonly queue?: string;
    readonly loadId?: string;
  }[],
): Promise<void> {
  const commands = queued.map(({ order: identity, ...command }): QueuedCommand => ({
    ...command,
    lane: { tenant, kind: 'order', identity },
    topic: ORDERS,
    command: 'Ship',
  }));
  await insertCommands(database, commands);
}

/** Claims a tenant's due lanes and loads the commands whose turn it is, in the order of their ids. */
export async function claimCommands(database: Database, tenant: string, leaseMs = 60_000): Promise<ClaimedCommand[]> {
  const lanes = await new Lanes(database).claim({ tenant, kind: 'order', limit: 100, leaseMs });
  const byId = new Map(lanes.map((lane) => [lane.id, lane]));
  const heads = await new Commands().heads(database, [...byId.keys()]);
  return heads
    .map((command) => ({ lane: byId.get(command.laneId)!, command }))
    .toSorted((one, other) => (one.command.commandId < other.command.commandId ? -1 : 1));
}
