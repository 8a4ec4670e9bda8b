import type { Database } from '@gondola/service-kit/database/database';
import type { Language } from '@gondola/shared/results/reason-codes';
import { skuReferences } from '../domain/applied-product.ts';
import type { PublishSettings } from '../domain/decide-product.ts';
import type { AssumedReferences } from '../domain/known-references.ts';
import { planProduct, type PlanContext } from '../domain/plan-product.ts';
import { type Prepared, prepareProduct, type TenantCatalog } from '../domain/prepare-product.ts';
import { progressFromText } from '../domain/product-progress.ts';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { progressToText } from '../domain/record-attempts.ts';
import type { ReferencesRepository } from '../outbound/references.repository.ts';
import type { SkusRepository } from '../outbound/skus.repository.ts';
import { type Consumed, waits } from './record-step.ts';
import type { Planned, Work } from './product-work.ts';

export interface PlanProductsParts {
  readonly tenant: string;
  readonly database: Database;
  readonly references: ReferencesRepository;
  readonly skus: SkusRepository;
  readonly consumed: Consumed;
  readonly catalog: TenantCatalog;
  readonly language: Language;
  readonly assumed: AssumedReferences;
  readonly referencesMs: number;
  readonly settings: PublishSettings;
  readonly now: () => number;
}

/** Decides what to do for records: prepares those that are new, looks up what they refer to, and asks `planProduct`. */
export class PlanProducts {
  readonly #parts: PlanProductsParts;

  constructor(parts: PlanProductsParts) {
    this.#parts = parts;
  }

  async plan(works: readonly Work[]): Promise<Planned[]> {
    const prepared = works.map((work) => ({ work, prepared: this.#prepared(work) }));
    const around = await this.#around(prepared);
    return prepared.map((each) => this.#planOne(each.work, each.prepared, around));
  }

  #prepared(work: Work): Prepared {
    const { catalog, language } = this.#parts;
    const { command, lane, known, looked } = work;
    const progress = progressFromText(command.progress);
    if (progress !== null) return { kind: 'ready', progress, made: [], content: progress.body };
    return prepareProduct({ value: command.value, externalReference: lane.identity, looked }, known, catalog, language);
  }

  /** Of records that are about to be sent the first time, what they name. */
  async #around(prepared: readonly { work: Work; prepared: Prepared }[]) {
    const { database, tenant, references, skus } = this.#parts;
    const fresh = prepared.flatMap(({ work, prepared: each }) =>
      each.kind === 'ready' && each.progress.sendings.length === 0 ? [{ work, ...each }] : [],
    );
    if (fresh.length === 0) return { knownReferences: new Set<string>(), skus: [] };
    const knownReferences = await references.known(
      database,
      tenant,
      fresh.flatMap(({ made }) => made),
    );
    const wanted = {
      references: fresh.flatMap(({ progress }) => skuReferences(progress.body)),
      laneIds: fresh.map(({ work }) => work.lane.id),
    };
    return { knownReferences, skus: await skus.load(database, tenant, wanted) };
  }

  #planOne(work: Work, prepared: Prepared, around: Pick<PlanContext, 'knownReferences' | 'skus'>): Planned {
    const { settings, now, consumed, language, assumed, referencesMs } = this.#parts;
    const { lane, command } = work;
    const situation = { ...work, externalReference: lane.identity, prepared, deadlineInMs: command.deadlineInMs };
    const tenant = { language, assumed, referencesMs };
    const context = { ...around, tenant, settings, nowMs: now(), consumedUpToMs: consumed.upTo() };
    const plan = planProduct(situation, context);
    if (plan.kind === 'conclude') {
      const { progress } = plan;
      const operationIds = progress === null ? [] : operationIdsOf(progress);
      return { kind: 'concluded', work, end: { ...plan, operationIds } };
    }
    if (plan.kind === 'send') return { kind: 'send', work, progress: plan.progress };
    if (plan.kind === 'read') return { kind: 'read', work, progress: plan.progress, final: plan.final };
    if (plan.kind === 'announce') return { kind: 'announces', work, waiting: plan.waiting };
    const text = plan.progress === null ? null : progressToText(plan.progress);
    if (plan.kind === 'wait') return waits(work, text, plan.ms);
    return waits(work, text, consumed.ask(plan.untilMs));
  }
}
