import { Database } from '@gondola/service-kit/database/database';
import { stringifyWithDigits } from '@gondola/shared/json/json-digits';
import type { ResultEntity } from '@gondola/shared/results/result';
import { Inject, Injectable } from '@nestjs/common';
import { blockedToText } from '../waiting/awaiting.ts';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { storedText } from '../records/stored-text.ts';
import { type ReferenceEffect, type ReferenceProgress, referenceProgress } from './stored-reference.ts';
import type { BatchRoute } from '../platform/platform.adapter.ts';
import type { CatalogFamily, FamilyAwaited, FamilyEntities, LaneHead } from '../lanes/catalog-family.service.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { LoadReferences, type OpenReference, type PlannedLane, type ReferenceLane } from './load-references.service.ts';
import { SaveReferences } from './save-references.service.ts';
import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import { Clock } from '@gondola/service-kit/run/clock';
import { planReference } from './decide-reference.ts';
import { mentionedReferences, type PreparedReference, prepareReference } from './prepare-reference.ts';
import { REFERENCE_RULES, type ReferenceSurroundings } from './reference-rules.ts';
import { ReferencesRepository } from './references.repository.ts';
import { plannedStep } from '../lanes/catalog-family.service.ts';

interface PreparedRecord {
  readonly work: OpenReference;
  readonly prepared: PreparedReference;
}

/** Stored state that new records are prepared with. */
interface Around extends Pick<ReferenceSurroundings, 'stored' | 'parents'> {
  /** References in use by products. */
  readonly inUse: ReadonlySet<string>;
}

const NOTHING_AROUND: Around = { stored: new Map(), parents: new Map(), inUse: new Set() };

/** Brands or categories: sent whole, without a documented success event, and not readable. */
@Injectable()
abstract class ReferenceFamily implements CatalogFamily<ReferenceLane, ReferenceProgress, ReferenceEffect> {
  abstract readonly kind: ReferenceKind;
  abstract routeOf(progress: ReferenceProgress): BatchRoute;

  readonly reader = null;
  readonly isUrgent = false;

  readonly entities: FamilyEntities<ReferenceLane, ReferenceProgress, ReferenceEffect> = {
    claim: (tx, tenant, outgoing) => this.saveReferences.claim(tx, tenant, this.kind, outgoing),
    unclaimedMs: (tenant) => this.saveReferences.unclaimedMs(tenant),
    save: (tx, tenant, saved) => this.saveReferences.save(tx, tenant, this.kind, saved),
  };

  constructor(
    private readonly database: Database,
    private readonly references: ReferencesRepository,
    @Inject(ConsumedRecords) private readonly consumed: Pick<ConsumedRecords, 'ask'>,
    private readonly clock: Clock,
    private readonly loadReferences: LoadReferences,
    private readonly saveReferences: SaveReferences,
  ) {}

  get awaited(): FamilyAwaited<ReferenceLane, ReferenceProgress, ReferenceEffect> {
    return {
      kind: this.kind,
      madeKnownBy: (step) => (step.kind === 'concluded' ? step.end.effect.entered.map(referenceOf) : []),
      lastMadeKnown: ({ state }) => state.entered,
    };
  }

  async load(tenant: CatalogTenant, heads: readonly LaneHead[]): Promise<ReferenceLane[]> {
    return this.loadReferences.load(tenant, this.kind, heads);
  }

  async plan(tenant: CatalogTenant, works: readonly OpenReference[]): Promise<PlannedLane[]> {
    const records = await this.#prepare(tenant, works);
    const made = records.flatMap(({ prepared }) => (prepared.kind === 'ready' ? prepared.made : []));
    const knownReferences = await this.references.known(this.database, tenant.id, made);
    return records.map(({ work, prepared }) => {
      const { waiting, reports, command, state, consumedUpToMs } = work;
      const { pastOperationIds } = state;
      const planned = {
        kind: this.kind,
        prepared,
        waiting,
        reports,
        pastOperationIds,
        deadlineInMs: command.deadlineInMs,
      };
      const context = { tenant, knownReferences, nowMs: this.clock.now(), consumedUpToMs };
      return plannedStep(work, planReference(planned, context), (untilMs) => this.consumed.ask(untilMs));
    });
  }

  itemText({ body, route }: ReferenceProgress): string {
    return stringifyWithDigits(route === 'delete' ? (body['externalReference'] ?? null) : body);
  }

  /** False: the report of a brand or category names it. */
  goesAlone(): boolean {
    return false;
  }

  entityOf(externalReference: string): ResultEntity {
    return { kind: this.kind, externalReference };
  }

  seenReportId({ reports }: ReferenceLane): string {
    return reports.at(-1)?.id ?? '0';
  }

  blockedText(
    { work, progress }: { readonly work: OpenReference; readonly progress: ReferenceProgress | null },
    cause: string,
  ): string {
    // Without a stored attempt the references are not held, so the record is prepared again.
    if (progress === null || referenceProgress(work.command.progress) === null) {
      return blockedToText(work.waiting, progress?.blocked ?? cause);
    }
    return storedText({ ...progress, blocked: progress.blocked ?? cause });
  }

  async #prepare(
    { id: tenant, language, catalog }: CatalogTenant,
    works: readonly OpenReference[],
  ): Promise<PreparedRecord[]> {
    const { allowedExtraKeys } = catalog;
    const fresh = works.filter(({ command }) => referenceProgress(command.progress) === null);
    const { inUse, ...around } = await this.#around(tenant, fresh);
    return works.map((work): PreparedRecord => {
      const { command, lane, state } = work;
      const progress = referenceProgress(command.progress);
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

function referenceOf({ externalReference }: { readonly externalReference: string }): string {
  return externalReference;
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
