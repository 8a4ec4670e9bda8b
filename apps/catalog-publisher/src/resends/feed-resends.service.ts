import { Commands } from '@gondola/lanes/commands/commands';
import { LoadCounts, type LoadKey } from '@gondola/lanes/commands/load-counts';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { Lanes, laneText } from '@gondola/lanes/lanes/lanes';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { tracing } from '@gondola/service-kit/tracing/tracing';
import { Inject, Injectable } from '@nestjs/common';
import { LoadsRepository } from '../intake/loads.repository.ts';
import { CATALOG_TOPICS } from '../records/catalog-kinds.ts';
import { PRODUCTS_PLACE, RESEND_PAGE, resendCommand } from '../records/resend.ts';
import { type ResendItem, ResendsRepository } from './resends.repository.ts';

const BUSY_MS = 250;
const IDLE_MS = 1_000;
/** Kinds whose work goes before a resend. */
const KINDS = ['product', 'brand', 'category'] as const;

/**
 * Queues resends page by page at low priority: a page waits until no lane of the tenant is due, and at most one page
 * is open. Parents go before their categories, and categories before products.
 *
 *   resend_items ──▶ one transaction: the load locked, items taken out, their lanes woken, commands queued ──▶ lanes
 *
 * The remaining items are in the database: any replica continues after a kill, and none queues an item twice.
 */
@Injectable()
export class FeedResends extends RepeatingTask {
  #isFeeding = false;

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
    super({ name: 'resends', everyMs: () => (this.#isFeeding ? BUSY_MS : IDLE_MS), run: () => this.#feed(), logger });
  }

  /** Feeds the oldest resend of each tenant; the next one follows when it is complete. */
  async #feed(): Promise<void> {
    const byTenant = Map.groupBy(await this.resends.unfinished(), ({ tenant }) => tenant);
    this.#isFeeding = byTenant.size > 0;
    for (const [tenant, [oldest]] of byTenant) {
      if (oldest === undefined || (await this.#isBusy(tenant))) continue;
      const queued = await this.database.transaction((tx) => this.#queuePage(tx, oldest));
      if (queued > 0) this.workers.wake();
    }
  }

  /** True if a lane of the tenant is due and not claimed. */
  async #isBusy(tenant: string): Promise<boolean> {
    const found = await this.lanes.readiness(
      KINDS.map((kind) => ({ tenant, kind })),
      0,
    );
    return found.some(({ isReady }) => isReady);
  }

  async #queuePage(tx: Tx, key: LoadKey): Promise<number> {
    await this.loads.lock(tx, key);
    const place = await this.resends.nextPlace(tx, key);
    const [open = 0] = await this.counts.open(tx, [key], RESEND_PAGE);
    // Items below another category, or of a brand, follow once that has its outcome.
    if (place === null || (place < PRODUCTS_PLACE && open > 0)) return 0;
    const items = open < RESEND_PAGE ? await this.resends.takeOut(tx, key, place, RESEND_PAGE - open) : [];
    await this.#queue(tx, key, items);
    return items.length;
  }

  async #queue(tx: Tx, { tenant, loadId }: LoadKey, items: readonly ResendItem[]): Promise<void> {
    const keyOf = ({ kind, externalReference }: ResendItem) => ({ tenant, kind, identity: externalReference });
    const laneIds = await this.lanes.wake(tx, items.map(keyOf));
    const traceparent = tracing.begin('resend', this.randomness.bytes);
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
