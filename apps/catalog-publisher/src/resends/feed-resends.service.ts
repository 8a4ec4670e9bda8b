import { Commands } from '@gondola/messaging/commands/commands';
import { LoadCounts, type LoadKey } from '@gondola/messaging/commands/load-counts';
import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import { RepeatingTask } from '@gondola/messaging/repeating-task';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { childTraceparent, TRACE_RANDOM_BYTES } from '@gondola/shared/topics/traceparent';
import { Inject, Injectable } from '@nestjs/common';
import { LoadsRepository } from '../loads/loads.repository.ts';
import { CATALOG_TOPICS } from '../records/catalog-kinds.ts';
import { PRODUCTS_PLACE, RESEND_PAGE, resendCommand } from './resend.ts';
import { type ResendItem, ResendsRepository } from './resends.repository.ts';

const EVERY_MS = 250;
/** Kinds whose lanes stand in one row before the platform with what is sent again. */
const KINDS = ['product', 'brand', 'category'] as const;

/**
 * Queues what is sent again, a page at a time, so that it delays nobody: a page waits until no lane of the tenant is
 * due, and no more than one page is open. Parents go before their categories, and these before products.
 *
 *   resend_items ──▶ one transaction: the load locked, items taken out, their lanes woken, commands queued ──▶ lanes
 *
 * What is left is in the database: any replica goes on after a kill, and none queues an item twice.
 */
@Injectable()
export class FeedResends extends RepeatingTask {
  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly commands: Commands,
    private readonly counts: LoadCounts,
    private readonly loads: LoadsRepository,
    private readonly resends: ResendsRepository,
    @Inject(LaneWorkers) private readonly workers: Pick<LaneWorkers, 'wake'>,
    private readonly randomness: Randomness,
    @Inject(LOGGER) logger: Logger,
  ) {
    super({ name: 'resends', everyMs: EVERY_MS, run: () => this.#feed(), logger });
  }

  /** Of each tenant the oldest; the next one when that is through. */
  async #feed(): Promise<void> {
    const byTenant = Map.groupBy(await this.resends.unfinished(), ({ tenant }) => tenant);
    for (const [tenant, [oldest]] of byTenant) {
      if (oldest === undefined || (await this.#isBusy(tenant))) continue;
      const queued = await this.database.transaction((tx) => this.#queuePage(tx, oldest));
      if (queued > 0) this.workers.wake();
    }
  }

  /** A lane of the tenant is due and nobody has taken it yet. */
  async #isBusy(tenant: string): Promise<boolean> {
    const due = await Promise.all(KINDS.map((kind) => this.lanes.nextReadyInMs({ tenant, kind })));
    return due.some((inMs) => inMs !== null && inMs <= 0);
  }

  async #queuePage(tx: Tx, key: LoadKey): Promise<number> {
    await this.loads.lock(tx, key);
    const place = await this.resends.nextPlace(tx, key);
    const [open = 0] = await this.counts.open(tx, [key], RESEND_PAGE);
    // What is under another category, or of a brand, comes when that has ended.
    if (place === null || (place < PRODUCTS_PLACE && open > 0)) return 0;
    const items = open < RESEND_PAGE ? await this.resends.takeOut(tx, key, place, RESEND_PAGE - open) : [];
    await this.#queue(tx, key, items);
    return items.length;
  }

  async #queue(tx: Tx, { tenant, loadId }: LoadKey, items: readonly ResendItem[]): Promise<void> {
    const keyOf = ({ kind, externalReference }: ResendItem) => ({ tenant, kind, identity: externalReference });
    const laneIds = await this.lanes.wake(tx, items.map(keyOf));
    const traceparent = childTraceparent(null, this.randomness.bytes(TRACE_RANDOM_BYTES));
    await this.commands.insert(
      tx,
      items.map((item) => ({
        ...resendCommand(loadId, item.externalReference),
        laneId: laneIds.get(laneText(keyOf(item)))!,
        tenant,
        topic: CATALOG_TOPICS[item.kind],
        traceparent,
      })),
    );
  }
}
