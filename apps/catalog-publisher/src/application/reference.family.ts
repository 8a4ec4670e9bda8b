import { Database } from '@gondola/service-kit/database/database';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import { stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { Injectable } from '@nestjs/common';
import { blockedToText } from '../domain/awaiting.ts';
import type { ReferenceKind } from '../domain/catalog-kinds.ts';
import { progressFromText, progressToText } from '../domain/record-attempts.ts';
import { findReferenceCorrections } from '../domain/reference-corrections.ts';
import type { ReferenceProgress } from '../domain/reference-progress.ts';
import type { ReferenceEffect } from '../domain/stored-reference.ts';
import { OperationsRepository } from '../outbound/operations.repository.ts';
import type { BatchRoute } from '../outbound/platform.adapter.ts';
import { ReferenceLanesRepository } from '../outbound/reference-lanes.repository.ts';
import type { CatalogFamily, FamilyAwaited, FamilyEntities, LaneHead } from './catalog-family.interface.ts';
import type { CatalogTenant } from './catalog-tenants.service.ts';
import { PlanReferences } from './plan-references.service.ts';
import type { OpenReference, PlannedLane, ReferenceLane } from './reference-work.ts';
import { SaveReferences } from './save-references.service.ts';

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
    private readonly planReferences: PlanReferences,
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
      const corrected = corrections.map(({ record, settled: { conclusion } }) => ({ ...record, conclusion }));
      return { ...head, corrected, state, corrections, reports, known: new Map() };
    });
  }

  async plan(tenant: CatalogTenant, works: readonly OpenReference[]): Promise<PlannedLane[]> {
    return this.planReferences.plan(this.kind, tenant, works);
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
