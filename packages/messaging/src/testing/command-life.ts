import type { Database } from '@gondola/service-kit/database/database';

import { Commands, type OpenCommand } from '../commands/commands.ts';
import { type ClaimedLane, Lanes, laneText } from '../lanes/lanes.ts';

export const ORDERS = 'erp.orders.commands.v1';

/** A command of an order, claimed as a worker does. */
export interface ClaimedCommand {
  readonly lane: ClaimedLane;
  readonly command: OpenCommand;
}

/** Queues commands by their orders, as the intake does. */
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
  const lanes = new Lanes(database);
  const keyOf = (order: string) => ({ tenant, kind: 'order', identity: order });
  await database.transaction(async (tx) => {
    const ids = await lanes.wake(
      tx,
      queued.map(({ order }) => keyOf(order)),
    );
    const items = queued.map(({ order, commandId, queue = 'main', loadId = null }) => ({
      laneId: ids.get(laneText(keyOf(order)))!,
      tenant,
      topic: ORDERS,
      commandId,
      command: 'Ship',
      queue,
      loadId,
      contentHash: commandId,
      value: Buffer.from('{}'),
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    }));
    await new Commands().insert(
      tx,
      items.map((item) => ({ ...item, topic: ORDERS })),
    );
  });
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
