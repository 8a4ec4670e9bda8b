import { Commands } from '@gondola/lanes/commands/commands';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { progressFromText } from '../commands/command-progress.ts';
import { type PublishedRecord, PublishedRecordsRepository } from '../orders/published-records.repository.ts';
import { orderNumberOf } from '../facts/order-lane.ts';
import { ORDER_COMMANDS } from '../orders/order-topics.ts';
import type { ShownOrderCommand } from './commands.dto.ts';
import { requestedByOf } from './operator-command.ts';
import { orderTimeline } from './order-timeline.ts';
import { shownCommand } from './shown-command.ts';

const MAX_EARLIER = 50;
const MAX_PUBLISHED = 500;

/** Reads the outcome of a command, or the reason why it waits. */
@Injectable()
export class ShowCommand {
  constructor(
    private readonly database: Database,
    private readonly commands: Commands,
    private readonly history: PublishedRecordsRepository,
  ) {}

  /** Null if no record named the command. */
  async show(tenant: string, commandId: string): Promise<ShownOrderCommand | null> {
    const [found] = await this.commands.named(this.database, tenant, ORDER_COMMANDS, [commandId]);
    if (found === undefined) return null;
    const { outcome, finishedAt, identity, laneId } = found;
    const [open, published] = await Promise.all([
      this.commands.open(this.database, laneId, MAX_EARLIER),
      this.history.newestOf(laneId, MAX_PUBLISHED),
    ]);
    const own = published.filter((record) => record.commandId === commandId);
    const at = open.findIndex((each) => each.commandId === commandId);
    const { waits, ...shown } = shownCommand(found, open.slice(0, Math.max(at, 0)));
    const progress = progressFromText(found.progress);
    return {
      tenant,
      orderNumber: orderNumberOf({ identity }),
      ...shown,
      outcome,
      finishedAt,
      ...concludedBy(own),
      waits: outcome === null ? waits : null,
      timeline: orderTimeline({
        facts: [],
        commands: [{ ...found, requestedBy: requestedByOf(found), progress }],
        published: own,
      }),
    };
  }
}

function concludedBy(own: readonly PublishedRecord[]): Pick<ShownOrderCommand, 'reasonCode' | 'evidence'> {
  const { reasonCode = null, evidence = null } = own.findLast(({ kind }) => kind === 'result') ?? {};
  return { reasonCode, evidence };
}
