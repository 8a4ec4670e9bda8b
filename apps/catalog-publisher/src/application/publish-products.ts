import type { ClaimedLane } from '@gondola/messaging/lanes';
import type { Language } from '@gondola/shared/reason-codes';
import type { PublishSettings } from '../domain/decide-product.ts';
import { afterReading } from '../domain/known-product.ts';
import { planProduct } from '../domain/plan-product.ts';
import type { TenantCatalog } from '../domain/prepare-product.ts';
import { progressToText, withRead } from '../domain/product-progress.ts';
import { compareRead } from '../domain/read-back.ts';
import type { CatalogPlatform } from './catalog-platform.ts';
import type { ConsumedRecords } from './consumed-records.ts';
import { gatherWithin } from './gather-within.ts';
import type { LoadProducts } from './load-products.ts';
import { type Ended, type Outgoing, type Planned, type Reading, waits, type Work } from './product-work.ts';
import type { SaveProducts } from './save-products.ts';
import { sendGroups } from './send-groups.ts';
import type { SendProducts } from './send-products.ts';

export interface PublishProductsParts {
  readonly load: LoadProducts;
  readonly send: SendProducts;
  readonly save: SaveProducts;
  readonly platform: CatalogPlatform;
  readonly consumed: ConsumedRecords;
  readonly catalog: TenantCatalog;
  readonly language: Language;
  readonly settings: PublishSettings;
  readonly now: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** So long a batch waits for the readings of its products; a slower one goes into a later batch. */
const GATHER_MS = 2_000;
/** How long until the broker has surely been asked how far we are. */
const CATCH_UP_MS = 250;

/**
 * One step over some products of a tenant: what is decided is `planProduct`'s; here it is loaded, called and saved.
 *
 *   load ──▶ plan each ──▶ save those that ended or wait
 *                      ├─▶ read products (each on its own, late ones saved alone) ──▶ plan again
 *                      └─▶ write "sending" down ──▶ one POST ──▶ plan again ──▶ save
 *
 * Nobody waits for another's call longer than GATHER_MS: lanes are returned as soon as they are through (guarantee 5).
 */
export class PublishProducts {
  readonly #parts: PublishProductsParts;

  constructor(parts: PublishProductsParts) {
    this.#parts = parts;
  }

  async step(lanes: readonly ClaimedLane[], signal: AbortSignal): Promise<void> {
    const { load, save } = this.#parts;
    const { works, idle } = await load.load(lanes);
    const planned = this.#heldBack(works.map((work) => this.#plan(work)));
    const reading = planned.filter((each) => each.kind === 'read');
    const rest = planned.filter((each) => each.kind !== 'read');
    const tasks = [save.save([...idle.map((loaded) => ({ kind: 'idle' as const, loaded })), ...endedOf(rest)])];
    const { done, late } = await gatherWithin(
      reading.map((each) => this.#read(each, signal)),
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

  /** Pure but for the clock. */
  #plan(work: Work): Planned {
    const { catalog, language, settings, now, consumed } = this.#parts;
    const { command, lane } = work;
    const { value, progress, deadlineInMs } = command;
    const record = { ...work, externalReference: lane.identity, value, progress, deadlineInMs };
    const context = { catalog, language, settings, nowMs: now(), consumedUpToMs: consumed.upTo() };
    const plan = planProduct(record, context);
    if (plan.kind === 'conclude') return { kind: 'concluded', work, plan };
    if (plan.kind === 'send') return { kind: 'send', work, progress: plan.progress };
    if (plan.kind === 'read') return { kind: 'read', work, plan };
    if (plan.kind === 'wait') return waits(work, plan.progress, plan.ms);
    consumed.ask();
    return waits(work, plan.progress, CATCH_UP_MS);
  }

  /** While the tenant is paused nothing is written down as sent: its lanes come back when the pause is over (rule 17). */
  #heldBack(planned: readonly Planned[]): Planned[] {
    const pausedMs = this.#parts.platform.pausedForMs();
    if (pausedMs === 0) return [...planned];
    return planned.map((each) => {
      if (each.kind !== 'send' && each.kind !== 'read') return each;
      const progress = each.kind === 'send' ? each.progress : each.plan.progress;
      const blocked = progress === null ? null : { ...progress, blocked: progress.blocked ?? 'paused' };
      return waits(each.work, blocked, this.#jittered(pausedMs));
    });
  }

  async #read({ work, plan: { progress, final } }: Reading, signal: AbortSignal): Promise<Planned> {
    const { traceparent } = work.command;
    const options = { signal, ...(traceparent !== null && { traceparent }) };
    const answer = await this.#parts.platform.readProduct(work.lane.identity, options);
    if (answer.kind === 'unavailable' && !final) {
      const blocked = progress === null ? null : { ...progress, blocked: answer.cause };
      return waits(work, blocked, this.#jittered(answer.retryAfterMs));
    }
    const product = answer.kind === 'read' ? answer.product : null;
    if (progress === null) {
      return this.#plan({ ...work, known: afterReading(work.known, product), looked: true });
    }
    const seen = product === null ? 'differs' : compareRead(progress.body, work.known.applied, product);
    const read = withRead(progress, answer.kind === 'read' ? seen : 'cannot-tell', final);
    return this.#plan({ ...work, command: { ...work.command, progress: progressToText(read) } });
  }

  async #send(group: readonly Outgoing[], signal: AbortSignal): Promise<void> {
    const ended = await this.#parts.send.send(group, signal, ({ work }) => this.#later(this.#plan(work)));
    await this.#parts.save.save(ended.map((each) => this.#notTogether(each)));
  }

  /** What would be called next is called by another step. */
  #later(planned: Planned): Ended {
    if (planned.kind === 'send') return waits(planned.work, planned.progress, 0);
    return planned.kind === 'read' ? waits(planned.work, planned.plan.progress, 0) : planned;
  }

  /** Those that could not be sent together do not come back together. */
  #notTogether(ended: Ended): Ended {
    return ended.kind === 'waits' && ended.notSent ? { ...ended, ms: this.#jittered(ended.ms) } : ended;
  }

  #jittered(ms: number): number {
    return ms * (1 + this.#parts.random() / 2);
  }
}

function endedOf(planned: readonly Planned[]): Ended[] {
  return planned.filter((each) => each.kind !== 'send' && each.kind !== 'read');
}

function outgoingOf(planned: readonly Planned[]): Outgoing[] {
  return planned.filter((each) => each.kind === 'send');
}
