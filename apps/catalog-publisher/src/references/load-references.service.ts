import { Database } from '@gondola/service-kit/database/database';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import { Injectable } from '@nestjs/common';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import type { CatalogLane } from '../lanes/catalog-flow.ts';
import { type LaneHead, LaneHeads } from '../lanes/lane-heads.service.ts';
import type { OperationReport } from '../notifications/operation-report.ts';
import { PlatformOperationsRepository } from '../notifications/platform-operations.repository.ts';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import type { RecordEnd } from '../records/record-plan.ts';
import type { ReferenceLaneState } from './reference-lane-state.ts';
import { ReferenceLanesRepository } from './reference-lanes.repository.ts';
import {
  type ReferenceEffect,
  type ReferenceProgress,
  referenceProgress,
  type StoredReference,
} from './stored-reference.ts';
import { findReferenceCorrections, type ReferenceCorrection } from './reference-corrections.ts';

/** Loaded lane of a brand or category. */
export interface ReferenceLane extends CatalogLane, LaneHead {
  readonly progress: ReferenceProgress | null;
  readonly state: ReferenceLaneState;
  readonly corrections: readonly ReferenceCorrection[];
  readonly reports: readonly OperationReport[];
  /** State of the brand, or of the categories of the record; empty once the record was sent. */
  readonly known: ReadonlyMap<string, StoredReference>;
  /** The record's end in this step; null while it stays open. */
  readonly end: RecordEnd<ReferenceProgress, ReferenceEffect> | null;
}

/** Loads the input of a step over brands or categories: the state of their lanes, and the stored reports. */
@Injectable()
export class LoadReferences {
  constructor(
    private readonly database: Database,
    private readonly heads: LaneHeads,
    private readonly referenceLanes: ReferenceLanesRepository,
    private readonly operations: PlatformOperationsRepository,
  ) {}

  async load(
    { id: tenant, language }: CatalogTenant,
    kind: ReferenceKind,
    lanes: readonly ClaimedLane[],
  ): Promise<ReferenceLane[]> {
    const ids = lanes.map(({ id }) => id);
    const [heads, states] = await this.database.together((db) =>
      Promise.all([this.heads.of(db, lanes), this.referenceLanes.load(db, ids)]),
    );
    const open = heads.flatMap(({ command }) => referenceProgress(command?.progress ?? null) ?? []);
    const settled = [...states.values()].flatMap((state) => state.settled);
    const sent = [...open, ...settled.map(({ progress }) => progress)].flatMap((progress) => progress.sent);
    // Reports by operation and by entity, for sent and for settled records.
    const reports = await this.operations.reports(this.database, tenant, {
      operationIds: [...open.flatMap(operationIdsOf), ...settled.flatMap(({ operationIds }) => operationIds)],
      kind,
      externalReferences: [...heads.map(({ lane }) => lane.identity), ...sent.map((each) => each.externalReference)],
    });
    return heads.map((head) => {
      const state = states.get(head.lane.id)!;
      const progress = referenceProgress(head.command?.progress ?? null);
      const operations = { past: state.pastOperationIds, open: progress === null ? [] : [progress] };
      const corrections = findReferenceCorrections(kind, state.settled, reports, { language, operations });
      const corrected = corrections.map(({ record, concluded: { conclusion } }) => ({ ...record, conclusion }));
      const found = { corrected, state, corrections, reports, known: new Map() };
      return { ...head, ...found, progress, end: null, ownDueInMs: null };
    });
  }
}
