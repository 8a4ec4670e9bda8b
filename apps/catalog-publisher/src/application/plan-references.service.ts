import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import { Database } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Inject, Injectable } from '@nestjs/common';
import type { ReferenceKind } from '../domain/catalog-kinds.ts';
import { planReference } from '../domain/plan-reference.ts';
import {
  mentionedReferences,
  type PreparedReference,
  prepareReference,
  REFERENCE_RULES,
} from '../domain/prepare-reference.ts';
import { progressFromText } from '../domain/record-attempts.ts';
import type { ReferenceProgress } from '../domain/reference-progress.ts';
import type { ReferenceSurroundings } from '../domain/reference-rules.ts';
import { ReferencesRepository } from '../outbound/references.repository.ts';
import type { CatalogTenant } from './catalog-tenants.service.ts';
import { plannedStep } from './record.step.ts';
import type { OpenReference, PlannedLane } from './reference-work.ts';

interface PreparedRecord {
  readonly work: OpenReference;
  readonly prepared: PreparedReference;
}

/** What is known around new records. */
interface Around extends Pick<ReferenceSurroundings, 'stored' | 'parents'> {
  /** References that something names. */
  readonly inUse: ReadonlySet<string>;
}

const NOTHING_AROUND: Around = { stored: new Map(), parents: new Map(), inUse: new Set() };

/** Decides what to do for brands' or categories' records: prepares those that are new, and asks `planReference`. */
@Injectable()
export class PlanReferences {
  constructor(
    private readonly database: Database,
    private readonly references: ReferencesRepository,
    @Inject(ConsumedRecords) private readonly consumed: Pick<ConsumedRecords, 'upTo' | 'ask'>,
    private readonly clock: Clock,
  ) {}

  async plan(kind: ReferenceKind, tenant: CatalogTenant, works: readonly OpenReference[]): Promise<PlannedLane[]> {
    const records = await this.#prepare(kind, tenant, works);
    const made = records.flatMap(({ prepared }) => (prepared.kind === 'ready' ? prepared.made : []));
    const knownReferences = await this.references.known(this.database, tenant.id, made);
    return records.map(({ work, prepared }) => {
      const { waiting, reports, command, state } = work;
      const { pastOperationIds } = state;
      const planned = { kind, prepared, waiting, reports, pastOperationIds, deadlineInMs: command.deadlineInMs };
      const context = { tenant, knownReferences, nowMs: this.clock.now(), consumedUpToMs: this.consumed.upTo() };
      return plannedStep(work, planReference(planned, context), (untilMs) => this.consumed.ask(untilMs));
    });
  }

  async #prepare(
    kind: ReferenceKind,
    { id: tenant, language, catalog }: CatalogTenant,
    works: readonly OpenReference[],
  ): Promise<PreparedRecord[]> {
    const { allowedExtraKeys } = catalog;
    const fresh = works.filter(({ command }) => progressFromText(command.progress) === null);
    const { inUse, ...around } = await this.#around(kind, tenant, fresh);
    return works.map((work): PreparedRecord => {
      const { command, lane, state } = work;
      const progress = progressFromText(command.progress) as ReferenceProgress | null;
      if (progress !== null) return { work, prepared: { kind: 'ready', progress, made: [] } };
      const record = { kind, value: command.value, externalReference: lane.identity };
      const own = { inUse: inUse.has(lane.identity), sourceVersion: state.sourceVersion };
      const prepared = prepareReference(record, { ...around, ...own, allowedExtraKeys, language });
      return { work: { ...work, known: around.stored }, prepared };
    });
  }

  async #around(kind: ReferenceKind, tenant: string, fresh: readonly OpenReference[]): Promise<Around> {
    if (fresh.length === 0) return NOTHING_AROUND;
    const { isTree, isRemovable } = REFERENCE_RULES[kind];
    const mentioned = fresh.flatMap(({ lane, command }) =>
      mentionedReferences({ kind, value: command.value, externalReference: lane.identity }),
    );
    return {
      stored: await this.references.load(this.database, tenant, kind, mentioned),
      parents: isTree ? await this.references.parents(this.database, tenant, mentioned) : NOTHING_AROUND.parents,
      inUse: isRemovable ? await this.references.inUse(this.database, tenant, kind, mentioned) : NOTHING_AROUND.inUse,
    };
  }
}
