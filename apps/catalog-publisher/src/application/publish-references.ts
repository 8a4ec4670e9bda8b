import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import { stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { blockedToText } from '../domain/awaiting.ts';
import type { ReferenceKind } from '../domain/catalog-kinds.ts';
import { type ReferenceProgress, referenceProgressFromText } from '../domain/reference-progress.ts';
import { progressToText } from '../domain/record-attempts.ts';
import type { CatalogPlatform } from './catalog-platform.ts';
import { afterCall, waits } from './record-step.ts';
import type { LoadReferences } from './load-references.ts';
import type { PlanReferences } from './plan-references.ts';
import type { SaveReferences } from './save-references.ts';
import type {
  EndedReference,
  OutgoingReference,
  PlannedLane,
  ReferenceEnd,
  ReferenceLane,
  ReferenceWork,
} from './reference-work.ts';
import type { SaveLanes } from './save-lanes.ts';
import { sendGroups } from './send-groups.ts';
import type { AttemptRecords, AttemptRoute } from './attempt-records.ts';
import type { WakeWaiting } from './wake-waiting.ts';

export interface PublishReferencesParts {
  readonly tenant: string;
  readonly kind: ReferenceKind;
  readonly load: LoadReferences;
  readonly plan: PlanReferences;
  readonly send: AttemptRecords;
  readonly save: SaveLanes<ReferenceLane, ReferenceEnd>;
  readonly entities: SaveReferences;
  readonly wakeWaiting: WakeWaiting;
  readonly platform: CatalogPlatform;
  /**
   * After so many milliseconds a category that another one's tree covers is tried again; that takes as long as that one
   * settles.
   */
  readonly heldMs: number;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/**
 * One step over some brands or categories of a tenant: what is decided is `planReference`'s; here it is loaded, called
 * and saved.
 *
 *   load ──▶ plan each ──▶ save those that ended or wait ──▶ wake who waited for what is known now
 *                      └─▶ write attempts down ──▶ one POST or DELETE ──▶ the answers, saved
 */
export class PublishReferences {
  readonly #parts: PublishReferencesParts;

  constructor(parts: PublishReferencesParts) {
    this.#parts = parts;
  }

  async step(lanes: readonly ClaimedLane[], signal: AbortSignal): Promise<void> {
    const { load, plan, wakeWaiting, tenant, kind } = this.#parts;
    const loaded = await load.load(lanes);
    const works = loaded.filter((lane): lane is ReferenceWork => lane.command !== null);
    const idle = loaded.filter(({ command }) => command === null).map(idleEnd);
    const planned = this.#heldBack([...idle, ...(await plan.plan(works))]);
    const outgoing = planned.filter((each) => each.kind === 'send');
    const byRoute = Map.groupBy(outgoing, ({ progress }) => progress.route);
    const groups = [...byRoute].flatMap(([route, each]) => sendGroups(each).map((group) => ({ route, group })));
    const ended = planned.filter((each) => each.kind !== 'send');
    // All are waited for, whatever fails: a lane must not be given away while its call is under way.
    const ends = await Promise.allSettled([
      this.#save(ended),
      ...groups.map(({ route, group }) => this.#send(group, this.#route(route), signal)),
    ]);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    // Once more what the lanes' last records made known, in case the process ended before it had woken who waits for
    // it.
    await wakeWaiting.wake(
      tenant,
      kind,
      loaded.flatMap(({ state }) => state.entered),
    );
  }

  /**
   * While the tenant is paused nothing is written down as sent: its lanes come back when the pause is over (rule 17).
   */
  #heldBack(planned: readonly PlannedLane[]): PlannedLane[] {
    const pausedMs = this.#parts.platform.pausedForMs();
    if (pausedMs === 0) return [...planned];
    return planned.map((each) => {
      if (each.kind !== 'send') return each;
      const { work, progress } = each;
      // What was never written down as sent is not held, so it has to be made whole anew.
      const isKept = referenceProgressFromText(work.command.progress) !== null;
      const blocked = progress.blocked ?? 'paused';
      const text = isKept ? progressToText({ ...progress, blocked }) : blockedToText(work.waiting, blocked);
      return waits(work, text, this.#jittered(pausedMs));
    });
  }

  async #send(
    group: readonly OutgoingReference[],
    route: AttemptRoute<ReferenceLane, ReferenceProgress>,
    signal: AbortSignal,
  ): Promise<void> {
    const { send, plan } = this.#parts;
    const { answered, unsent, unclaimed } = await send.send(group, route, signal);
    const next = await plan.plan(answered.map(({ work }) => work));
    const held = unclaimed.map(({ work }) => waits(work, null, this.#jittered(this.#parts.heldMs)));
    const notTogether = unsent.map((each) => (each.kind === 'waits' ? { ...each, ms: this.#jittered(each.ms) } : each));
    await this.#save([...next.map(afterCall), ...notTogether, ...held]);
  }

  async #save(ended: readonly EndedReference[]): Promise<void> {
    const { save, wakeWaiting, tenant, kind } = this.#parts;
    await save.save(ended);
    const entered = ended.flatMap((each) => (each.kind === 'concluded' ? each.end.effect.entered : []));
    await wakeWaiting.wake(
      tenant,
      kind,
      entered.map(({ externalReference }) => externalReference),
    );
  }

  #route(route: ReferenceProgress['route']): AttemptRoute<ReferenceLane, ReferenceProgress> {
    const { platform, kind, entities } = this.#parts;
    const post = kind === 'brand' ? platform.postBrands : platform.postCategories;
    return {
      text: ({ body }) => stringifyWithDigits(route === 'delete' ? (body['externalReference'] ?? null) : body),
      post: route === 'delete' ? platform.deleteBrands : post,
      seenReportId: ({ reports }) => reports.at(-1)?.id ?? '0',
      claim: (tx, outgoing) => entities.claim(tx, outgoing),
    };
  }

  #jittered(ms: number): number {
    return ms * (1 + this.#parts.random() / 2);
  }
}

function idleEnd(work: ReferenceLane): EndedReference {
  return { kind: 'idle', work, dueInMs: null };
}
