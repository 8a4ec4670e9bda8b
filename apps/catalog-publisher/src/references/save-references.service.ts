import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import {
  afterReferenceRecord,
  type ReferenceLaneState,
  type SettledRecord,
} from '../reference-state/reference-lane-state.ts';
import type { ReferenceEffect, ReferenceProgress, StoredReference } from '../reference-state/stored-reference.ts';
import { ReferenceLanesRepository } from '../reference-state/reference-lanes.repository.ts';
import { ReferencesRepository } from '../reference-state/references.repository.ts';
import type { Outgoing, SavedLane } from '../lanes/catalog-family.service.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import type { ReferenceLane } from './load-references.service.ts';

type OutgoingReference = Outgoing<ReferenceLane, ReferenceProgress>;
type Saved = SavedLane<ReferenceLane, ReferenceProgress, ReferenceEffect>;

/** How often a category looks whether the tree that covers it has settled. */
const LOOKS_PER_SETTLING = 20;
const MIN_HELD_MS = 100;

/** Saves brands or categories as they are known, and who is changing which. */
@Injectable()
export class SaveReferences {
  constructor(
    private readonly references: ReferencesRepository,
    private readonly referenceLanes: ReferenceLanesRepository,
  ) {}

  /** Before an attempt: nobody else changes what the record covers, and nobody has since it was made whole. */
  async claim(
    tx: Tx,
    { id: tenant }: CatalogTenant,
    kind: ReferenceKind,
    outgoing: readonly OutgoingReference[],
  ): Promise<OutgoingReference[]> {
    const requests = outgoing.map(({ work, progress }) => ({
      laneId: work.lane.id,
      references: new Map(
        progress.sent.map(({ externalReference }) => [
          externalReference,
          work.known.get(externalReference)?.revision ?? '0',
        ]),
      ),
    }));
    const granted = await this.references.hold(tx, tenant, kind, requests);
    return outgoing.filter(({ work }) => granted.has(work.lane.id));
  }

  /** A category that another one's tree covers waits as long as that one settles. */
  unclaimedMs({ settings: { settleMs } }: CatalogTenant): number {
    return Math.max(settleMs / LOOKS_PER_SETTLING, MIN_HELD_MS);
  }

  async save(
    tx: Tx,
    { id: tenant }: CatalogTenant,
    kind: ReferenceKind,
    lanes: readonly Saved[],
  ): Promise<OutRecord[]> {
    const late = lanes.flatMap(({ work }) => work.corrections.map(({ concluded }) => concluded.effect));
    await this.references.save(tx, tenant, kind, late);
    const ended = lanes.flatMap(({ work, ended: end }) => (end === null ? [] : [{ work, ...end }]));
    // As they are known right before they change; what was known when the records were made whole is the same, since
    // their lanes held it.
    const before = await this.references.load(tx, tenant, kind, ended.flatMap(sentBy));
    await this.references.save(
      tx,
      tenant,
      kind,
      ended.map(({ end }) => end.effect),
    );
    await this.referenceLanes.save(
      tx,
      lanes.flatMap((each) => {
        const state = stateAfter(each, before);
        return state === null ? [] : [{ laneId: each.work.lane.id, state }];
      }),
    );
    await this.references.release(
      tx,
      ended.map(({ work }) => work.lane.id),
    );
    return [];
  }
}

function sentBy({ end }: NonNullable<Saved['ended']>): string[] {
  return end.progress?.sent.map(({ externalReference }) => externalReference) ?? [];
}

/** The state of a lane after its step; null where nothing changed. */
function stateAfter({ work, ended }: Saved, before: ReadonlyMap<string, StoredReference>): ReferenceLaneState | null {
  const corrected = new Set(work.corrections.map(({ record }) => record));
  const state = { ...work.state, settled: work.state.settled.filter((record) => !corrected.has(record)) };
  if (ended === null) return corrected.size > 0 ? state : null;
  const { effect, sourceVersion, operationIds } = ended.end;
  const settled = settledRecord(
    work,
    ended,
    sentBy(ended).flatMap((reference) => before.get(reference) ?? []),
  );
  return afterReferenceRecord(state, { effect, sourceVersion, operationIds, settled });
}

/** A record whose outcome a late report may still correct; null for any other. */
function settledRecord(
  { command }: ReferenceLane,
  { end, result }: NonNullable<Saved['ended']>,
  before: SettledRecord['before'],
): SettledRecord | null {
  const isOpen = result.outcome === 'unconfirmed' || (result.outcome === 'applied' && result.evidence === 'presumed');
  if (!isOpen || end.progress === null || command === null) return null;
  const { commandId, receivedAt, attempts, traceparent } = command;
  return {
    commandId,
    command: command.command,
    outcome: end.conclusion.outcome,
    resultId: result.id,
    progress: end.progress,
    operationIds: end.operationIds,
    before: before.map(({ externalReference, record, parent, exists }) => ({
      externalReference,
      record,
      parent,
      exists,
    })),
    receivedAt,
    attempts,
    traceparent,
    overtaken: false,
  };
}
