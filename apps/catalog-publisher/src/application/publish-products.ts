import { type Backoff, backoffMs } from '@gondola/messaging/lanes/backoff';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import { stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { afterFailedSnapshot } from '../domain/known-product.ts';
import { hasAll } from '../domain/sku-snapshots.ts';
import type { ProductProgress } from '../domain/product-progress.ts';
import { progressToText } from '../domain/record-attempts.ts';
import type { CatalogPlatform } from './catalog-platform.ts';
import type { CatalogReport } from './catalog-report.ts';
import { gatherWithin } from './gather-within.ts';
import { afterCall, waits } from './record-step.ts';
import type { LoadProducts } from './load-products.ts';
import type { PlanProducts } from './plan-products.ts';
import type { SaveProducts } from './save-products.ts';
import type { Ended, OutgoingProduct, Planned, ProductEnd, ProductLane, Work } from './product-work.ts';
import { blockedText, type ReadProducts } from './read-products.ts';
import type { SaveLanes } from './save-lanes.ts';
import { sendGroups } from './send-groups.ts';
import type { AttemptRecords, AttemptRoute } from './attempt-records.ts';

export interface PublishProductsParts {
  readonly load: LoadProducts;
  readonly plan: PlanProducts;
  readonly read: ReadProducts;
  readonly send: AttemptRecords;
  readonly save: SaveLanes<ProductLane, ProductEnd>;
  readonly entities: SaveProducts;
  readonly platform: CatalogPlatform;
  readonly report: CatalogReport;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** So long a batch waits for the readings of its products; a slower one goes into a later batch. */
const GATHER_MS = 1_000;
/** Of a product whose SKUs could not be read. */
const SNAPSHOT_BACKOFF: Backoff = { baseMs: 400, maxMs: 900_000 };

/**
 * One step over some products of a tenant: what is decided is `planProduct`'s; here it is loaded, called and saved.
 *
 *   load ──▶ plan each ──▶ save those that ended or wait
 *                      ├─▶ read products (each on its own, late ones saved alone) ──▶ what was seen, saved
 *                      └─▶ write attempts down ──▶ one POST ──▶ the answers, saved
 *
 * Nobody waits for another's call longer than GATHER_MS: lanes are returned as soon as they are through (guarantee 5).
 */
export class PublishProducts {
  readonly #parts: PublishProductsParts;
  readonly #route: AttemptRoute<ProductLane, ProductProgress>;

  constructor(parts: PublishProductsParts) {
    this.#parts = parts;
    const { platform, entities } = parts;
    this.#route = {
      text: ({ body }) => stringifyWithDigits(body),
      post: platform.postProducts,
      seenReportId: ({ newestReportId }) => newestReportId ?? '0',
      claim: (tx, outgoing) => entities.claim(tx, outgoing),
    };
  }

  async step(lanes: readonly ClaimedLane[], signal: AbortSignal): Promise<void> {
    const { load, plan, save } = this.#parts;
    const loaded = await load.load(lanes);
    const works = loaded.filter((lane): lane is Work => lane.command !== null);
    const idle = loaded.filter(({ command }) => command === null).map(idleEnd);
    const planned = this.#heldBack([...idle, ...(await plan.plan(works))]);
    const calls = planned.filter((each) => this.#isToBeRead(each));
    const rest = planned.filter((each) => !calls.includes(each));
    const tasks = [save.save(endedOf(rest))];
    const { done, late } = await gatherWithin(
      calls.map((each) => this.#read(each, signal)),
      GATHER_MS,
    );
    const early = done.map((each) => (each.kind === 'read' ? this.#later(each) : each));
    tasks.push(
      save.save(endedOf(early)),
      ...sendGroups([...outgoingOf(rest), ...outgoingOf(early)]).map((group) => this.#send(group, signal)),
      ...late.map(async (task) => save.save([this.#later(await task)])),
    );
    // All are waited for, whatever fails: a lane must not be given away while its call is under way.
    const ends = await Promise.allSettled(tasks);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /**
   * While the tenant is paused nothing is written down as sent: its lanes come back when the pause is over (rule 17).
   */
  #heldBack(planned: readonly Planned[]): Planned[] {
    const pausedMs = this.#parts.platform.pausedForMs();
    if (pausedMs === 0) return [...planned];
    return planned.map((each): Planned => {
      const ms = this.#jittered(pausedMs);
      if (each.kind === 'idle') return { ...each, dueInMs: each.work.known.snapshot === null ? null : ms };
      if (each.kind !== 'send' && each.kind !== 'read') return each;
      return waits(each.work, blockedText(each, 'paused'), ms);
    });
  }

  /** On behalf of its record, or because its SKUs are to be told before the next record goes. */
  #isToBeRead(planned: Planned): boolean {
    if (planned.kind === 'read') return true;
    if (planned.kind === 'idle') return planned.work.known.snapshot !== null && planned.dueInMs === null;
    return planned.kind === 'send' && planned.work.known.snapshot !== null;
  }

  async #read(planned: Planned, signal: AbortSignal): Promise<Planned> {
    if (planned.kind === 'read') return this.#parts.read.read(planned, signal, (ms) => this.#jittered(ms));
    if (planned.kind === 'send') return { ...planned, work: await this.#withSkus(planned.work, signal) };
    if (planned.kind !== 'idle') return planned;
    const work = await this.#withSkus(planned.work, signal);
    const { snapshot } = work.known;
    const ms = snapshot === null ? null : backoffMs(SNAPSHOT_BACKOFF, snapshot.tries, this.#parts.random());
    return { ...planned, work, dueInMs: ms };
  }

  /** The SKUs as they are by now; they are looked at again where not all that entered are there. */
  async #withSkus<W extends ProductLane>(work: W, signal: AbortSignal): Promise<W> {
    const { read, report } = this.#parts;
    const { known, lane } = work;
    const { snapshot: cause } = known;
    if (cause === null) return work;
    const readModel = await read.readModel(work, signal);
    const toTell = readModel === null ? null : { readModel, cause };
    if (readModel !== null && hasAll(readModel, known.applied)) {
      return { ...work, toTell, known: { ...known, snapshot: null } };
    }
    const after = afterFailedSnapshot(known);
    if (after.snapshot === null) report.skusUntold(lane);
    return { ...work, toTell, known: after };
  }

  async #send(group: readonly OutgoingProduct[], signal: AbortSignal): Promise<void> {
    const { send, plan, save } = this.#parts;
    const { answered, unsent, unclaimed } = await send.send(group, this.#route, signal);
    const next = await plan.plan(answered.map(({ work }) => work));
    // Somebody else's are looked at anew, and found to be so.
    const anew = unclaimed.map(({ work }) => waits(work, null, 0));
    const notTogether = unsent.map((each) => (each.kind === 'waits' ? { ...each, ms: this.#jittered(each.ms) } : each));
    await save.save([...next.map(afterCall), ...notTogether, ...anew]);
  }

  /** What would be called next is called by another step. */
  #later(planned: Planned): Ended {
    if (planned.kind !== 'send' && planned.kind !== 'read') return planned;
    const { work, progress } = planned;
    return waits(work, progress === null ? null : progressToText(progress), 0);
  }

  #jittered(ms: number): number {
    return ms * (1 + this.#parts.random() / 2);
  }
}

function idleEnd(work: ProductLane): Ended {
  return { kind: 'idle', work, dueInMs: null };
}

function endedOf(planned: readonly Planned[]): Ended[] {
  return planned.filter((each) => each.kind !== 'send' && each.kind !== 'read');
}

function outgoingOf(planned: readonly Planned[]): OutgoingProduct[] {
  return planned.filter((each) => each.kind === 'send');
}
