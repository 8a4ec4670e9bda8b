import type { Database } from '@gondola/service-kit/database/database';
import type { Language } from '@gondola/shared/results/reason-codes';
import type { ReferenceKind } from '../domain/catalog-kinds.ts';
import type { ReferenceSettings } from '../domain/decide-reference.ts';
import type { AssumedReferences } from '../domain/known-references.ts';
import { planReference } from '../domain/plan-reference.ts';
import { mentionedCategories, type PreparedReference, prepareReference } from '../domain/prepare-reference.ts';
import { referenceProgressFromText } from '../domain/reference-progress.ts';
import type { StoredReference } from '../domain/stored-reference.ts';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { progressToText } from '../domain/record-attempts.ts';
import type { ReferencesRepository } from '../outbound/references.repository.ts';
import { type Consumed, waits } from './record-step.ts';
import type { PlannedLane, ReferenceWork } from './reference-work.ts';

export interface PlanReferencesParts {
  readonly tenant: string;
  readonly kind: ReferenceKind;
  readonly database: Database;
  readonly references: ReferencesRepository;
  readonly consumed: Consumed;
  readonly language: Language;
  readonly assumed: AssumedReferences;
  readonly allowedExtraKeys: readonly string[];
  readonly referencesMs: number;
  readonly settings: ReferenceSettings;
  readonly now: () => number;
}

interface Prepared {
  readonly work: ReferenceWork;
  readonly prepared: PreparedReference;
}

/** Decides what to do for brands' or categories' records: prepares those that are new, and asks `planReference`. */
export class PlanReferences {
  readonly #parts: PlanReferencesParts;

  constructor(parts: PlanReferencesParts) {
    this.#parts = parts;
  }

  async plan(works: readonly ReferenceWork[]): Promise<PlannedLane[]> {
    const prepared = await this.#prepare(works);
    const { database, tenant, references } = this.#parts;
    const made = prepared.flatMap((each) => (each.prepared.kind === 'ready' ? each.prepared.made : []));
    const known = await references.known(database, tenant, made);
    return prepared.map((each) => this.#planOne(each, known));
  }

  async #prepare(works: readonly ReferenceWork[]): Promise<Prepared[]> {
    const fresh = works.filter(({ command }) => referenceProgressFromText(command.progress) === null);
    const { stored, parents, inUse } = await this.#around(fresh);
    const { kind, language, allowedExtraKeys } = this.#parts;
    return works.map((work) => {
      const { command, lane, state } = work;
      const progress = referenceProgressFromText(command.progress);
      if (progress !== null) return { work, prepared: { kind: 'ready', progress, made: [] } };
      const record = { kind, value: command.value, externalReference: lane.identity };
      const around = { stored, parents, inUse: inUse.has(lane.identity), allowedExtraKeys, language };
      const prepared = prepareReference(record, { ...around, sourceVersion: state.sourceVersion });
      return { work: { ...work, known: stored }, prepared };
    });
  }

  async #around(fresh: readonly ReferenceWork[]) {
    const { database, tenant, kind, references } = this.#parts;
    const nothing = new Map<string, StoredReference>();
    if (fresh.length === 0) return { stored: nothing, parents: new Map<string, string | null>(), inUse: new Set() };
    const own = fresh.map(({ lane }) => lane.identity);
    if (kind === 'brand') {
      const stored = await references.load(database, tenant, kind, own);
      return {
        stored,
        parents: new Map<string, string | null>(),
        inUse: await references.brandsInUse(database, tenant, own),
      };
    }
    const mentioned = fresh.flatMap(({ lane, command }) =>
      mentionedCategories({ value: command.value, externalReference: lane.identity }),
    );
    const stored = await references.load(database, tenant, kind, mentioned);
    return { stored, parents: await references.parents(database, tenant, mentioned), inUse: new Set() };
  }

  #planOne({ work, prepared }: Prepared, knownReferences: ReadonlySet<string>): PlannedLane {
    const { kind, settings, now, consumed, language, assumed, referencesMs } = this.#parts;
    const { command, waiting, reports } = work;
    const { pastOperationIds } = work.state;
    const planned = { kind, prepared, waiting, reports, pastOperationIds, deadlineInMs: command.deadlineInMs };
    const tenant = { language, assumed, referencesMs };
    const nowMs = now();
    const plan = planReference(planned, { tenant, settings, knownReferences, nowMs, consumedUpToMs: consumed.upTo() });
    if (plan.kind === 'conclude') {
      const operationIds = plan.progress === null ? [] : operationIdsOf(plan.progress);
      return { kind: 'concluded', work, end: { ...plan, operationIds, warnings: [], anomaly: false } };
    }
    if (plan.kind === 'send') return { kind: 'send', work, progress: plan.progress };
    if (plan.kind === 'announce') return { kind: 'announces', work, waiting: plan.waiting };
    const text = plan.progress === null ? null : progressToText(plan.progress);
    if (plan.kind === 'wait') return waits(work, text, plan.ms);
    return waits(work, text, consumed.ask(plan.untilMs));
  }
}
