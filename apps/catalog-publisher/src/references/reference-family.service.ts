import { Database } from '@gondola/service-kit/database/database';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { Inject, Injectable } from '@nestjs/common';
import { blockedToText } from '../waiting/awaiting.ts';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { progressFromText, progressToText } from '../records/record-attempts.ts';
import { findReferenceCorrections } from './reference-corrections.ts';
import type { ReferenceEffect, ReferenceProgress } from './stored-reference.ts';
import { OperationsRepository } from '../outcomes/operations.repository.ts';
import type { BatchRoute } from '../platform/platform.adapter.ts';
import { ReferenceLanesRepository } from './reference-lanes.repository.ts';
import type { CatalogFamily, FamilyAwaited, FamilyEntities, LaneHead } from '../lanes/catalog-family.interface.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import type { OpenReference, PlannedLane, ReferenceLane } from './reference-lane.interface.ts';
import { SaveReferences } from './save-references.service.ts';
import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import { Clock } from '@gondola/service-kit/run/clock';
import { planReference } from './decide-reference.ts';
import { mentionedReferences, type PreparedReference, prepareReference, REFERENCE_RULES } from './prepare-reference.ts';
import type { ReferenceSurroundings } from './reference-rules.ts';
import { ReferencesRepository } from './references.repository.ts';
import { plannedStep } from '../lanes/record-step.service.ts';

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

/** Brands or categories: they are sent whole, nobody reports that one entered, and none can be read. */
@Injectable()
abstract class ReferenceFamily implements CatalogFamily<ReferenceLane, ReferenceProgress, ReferenceEffect> {
  abstract readonly kind: ReferenceKind;
  abstract routeOf(progress: ReferenceProgress): BatchRoute;

  readonly reader = null;
  readonly awaited: FamilyAwaited<ReferenceLane, ReferenceEffect> = {
    madeKnownBy: ({ entered }) => entered.map(({ externalReference }) => externalReference),
    lastMadeKnown: ({ state }) => state.entered,
  };

  readonly entities: FamilyEntities<ReferenceLane, ReferenceProgress, ReferenceEffect> = {
    claim: (tx, tenant, outgoing) => this.saveReferences.claim(tx, tenant, this.kind, outgoing),
    unclaimedMs: (tenant) => this.saveReferences.unclaimedMs(tenant),
    save: (tx, tenant, saved) => this.saveReferences.save(tx, tenant, this.kind, saved),
  };

  constructor(
    private readonly database: Database,
    private readonly referenceLanes: ReferenceLanesRepository,
    private readonly operations: OperationsRepository,
    private readonly references: ReferencesRepository,
    @Inject(ConsumedRecords) private readonly consumed: Pick<ConsumedRecords, 'upTo' | 'ask'>,
    private readonly clock: Clock,
    private readonly saveReferences: SaveReferences,
  ) {}

  async load({ id: tenant, language }: CatalogTenant, heads: readonly LaneHead[]): Promise<ReferenceLane[]> {
    const ids = heads.map(({ lane }) => lane.id);
    const states = await this.referenceLanes.load(this.database, ids);
    const open = heads.flatMap(
      ({ command }) => (progressFromText(command?.progress ?? null) as ReferenceProgress | null) ?? [],
    );
    const settled = [...states.values()].flatMap((state) => state.settled);
    const sent = [...open, ...settled.map(({ progress }) => progress)].flatMap((progress) => progress.sent);
    // By operation, and by entity: of those that are on their way, and of those that have settled.
    const reports = await this.operations.reports(this.database, tenant, {
      operationIds: [...open.flatMap(operationIdsOf), ...settled.flatMap(({ operationIds }) => operationIds)],
      kind: this.kind,
      externalReferences: [...heads.map(({ lane }) => lane.identity), ...sent.map((each) => each.externalReference)],
    });
    return heads.map((head) => {
      const state = states.get(head.lane.id)!;
      const corrections = findReferenceCorrections(this.kind, state.settled, reports, language);
      const corrected = corrections.map(({ record, concluded: { conclusion } }) => ({ ...record, conclusion }));
      return { ...head, corrected, state, corrections, reports, known: new Map() };
    });
  }

  async plan(tenant: CatalogTenant, works: readonly OpenReference[]): Promise<PlannedLane[]> {
    const records = await this.#prepare(tenant, works);
    const made = records.flatMap(({ prepared }) => (prepared.kind === 'ready' ? prepared.made : []));
    const knownReferences = await this.references.known(this.database, tenant.id, made);
    return records.map(({ work, prepared }) => {
      const { waiting, reports, command, state } = work;
      const { pastOperationIds } = state;
      const planned = {
        kind: this.kind,
        prepared,
        waiting,
        reports,
        pastOperationIds,
        deadlineInMs: command.deadlineInMs,
      };
      const context = { tenant, knownReferences, nowMs: this.clock.now(), consumedUpToMs: this.consumed.upTo() };
      return plannedStep(work, planReference(planned, context), (untilMs) => this.consumed.ask(untilMs));
    });
  }

  itemText({ body, route }: ReferenceProgress): string {
    return stringifyWithDigits(route === 'delete' ? (body['externalReference'] ?? null) : body);
  }

  seenReportId({ reports }: ReferenceLane): string {
    return reports.at(-1)?.id ?? '0';
  }

  blockedText(
    { work, progress }: { readonly work: OpenReference; readonly progress: ReferenceProgress | null },
    cause: string,
  ): string {
    // What was never written down as sent is not held, so it has to be made whole anew.
    if (progress === null || progressFromText(work.command.progress) === null) {
      return blockedToText(work.waiting, progress?.blocked ?? cause);
    }
    return progressToText({ ...progress, blocked: progress.blocked ?? cause });
  }

  async #prepare(
    { id: tenant, language, catalog }: CatalogTenant,
    works: readonly OpenReference[],
  ): Promise<PreparedRecord[]> {
    const { allowedExtraKeys } = catalog;
    const fresh = works.filter(({ command }) => progressFromText(command.progress) === null);
    const { inUse, ...around } = await this.#around(tenant, fresh);
    return works.map((work): PreparedRecord => {
      const { command, lane, state } = work;
      const progress = progressFromText(command.progress) as ReferenceProgress | null;
      if (progress !== null) return { work, prepared: { kind: 'ready', progress, made: [] } };
      const record = { kind: this.kind, value: command.value, externalReference: lane.identity };
      const own = { inUse: inUse.has(lane.identity), sourceVersion: state.sourceVersion };
      const prepared = prepareReference(record, { ...around, ...own, allowedExtraKeys, language });
      return { work: { ...work, known: around.stored }, prepared };
    });
  }

  async #around(tenant: string, fresh: readonly OpenReference[]): Promise<Around> {
    if (fresh.length === 0) return NOTHING_AROUND;
    const { kind } = this;
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

@Injectable()
export class BrandFamily extends ReferenceFamily {
  readonly kind = 'brand';

  routeOf({ route }: ReferenceProgress): BatchRoute {
    return route === 'delete' ? 'deleteBrands' : 'postBrands';
  }
}

@Injectable()
export class CategoryFamily extends ReferenceFamily {
  readonly kind = 'category';

  routeOf(): BatchRoute {
    return 'postCategories';
  }
}
