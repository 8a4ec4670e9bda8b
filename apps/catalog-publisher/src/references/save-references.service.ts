import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { afterReferenceRecord, type ReferenceLaneState, type SettledRecord } from './reference-lane-state.ts';
import type { ReferenceEffect, ReferenceProgress, StoredReference } from './stored-reference.ts';
import { ReferenceLanesRepository } from './reference-lanes.repository.ts';
import { ReferencesRepository } from './references.repository.ts';
import type { Outgoing, SavedLane } from '../lanes/catalog-family.service.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { operationsOf } from '../records/record-attempts.ts';
import type { ReferenceLane } from './load-references.service.ts';
import { unlessChanged } from './reference-corrections.ts';

type OutgoingReference = Outgoing<ReferenceLane, ReferenceProgress>;
type Saved = SavedLane<ReferenceLane, ReferenceProgress, ReferenceEffect>;

/** Checks per settling time for whether the tree that covers a category has settled. */
const LOOKS_PER_SETTLING = 20;
const MIN_HELD_MS = 100;

/** Saves the state of brands or categories, and the lane that holds each. */
@Injectable()
export class SaveReferences {
  constructor(
    private readonly references: ReferencesRepository,
    private readonly referenceLanes: ReferenceLanesRepository,
  ) {}

  /**
   * Before an attempt: holds the record's references, if none has changed since the record was prepared, and no product
   * has meanwhile named a brand that is to be removed (rule 29).
   */
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
    const held = outgoing.filter(({ work }) => granted.has(work.lane.id));
    const removing = held.filter(isFirstRemoval).map(({ work }) => work.lane.identity);
    const inUse = await this.references.inUse(tx, tenant, kind, removing);
    return held.filter((each) => !isFirstRemoval(each) || !inUse.has(each.work.lane.identity));
  }

  /** Wait of a category that another record's tree covers. */
  unclaimedMs({ settings: { settleMs } }: CatalogTenant): number {
    return Math.max(settleMs / LOOKS_PER_SETTLING, MIN_HELD_MS);
  }

  async save(
    tx: Tx,
    { id: tenant }: CatalogTenant,
    kind: ReferenceKind,
    lanes: readonly Saved[],
  ): Promise<OutRecord[]> {
    const late = lanes.flatMap(({ work }) => work.corrections);
    const changed = late.flatMap(({ record }) => record.before.map(({ externalReference }) => externalReference));
    const revisions = await this.references.lock(tx, tenant, kind, changed);
    await this.references.save(tx, tenant, kind, unlessChanged(late, revisions));
    const ended = lanes.flatMap(({ work, ended: end }) => (end === null ? [] : [{ work, ...end }]));
    // Their state right before the change. It equals the state at the time of preparation, since their lanes held them.
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

/** True for a removal that was not sent yet and that products prevent. */
function isFirstRemoval({ progress }: OutgoingReference): boolean {
  return progress.route === 'delete' && progress.isForced !== true && progress.attempts.length === 0;
}

function sentBy({ end }: NonNullable<Saved['ended']>): string[] {
  return end.progress?.sent.map(({ externalReference }) => externalReference) ?? [];
}

/** The state of a lane after its step; null if nothing changed. */
function stateAfter({ work, ended }: Saved, before: ReadonlyMap<string, StoredReference>): ReferenceLaneState | null {
  const corrected = new Set(work.corrections.map(({ record }) => record));
  const state = { ...work.state, settled: work.state.settled.filter((record) => !corrected.has(record)) };
  if (ended === null) return corrected.size > 0 ? state : null;
  const { effect, sourceVersion, progress } = ended.end;
  const settled = settledRecord(
    work,
    ended,
    sentBy(ended).flatMap((reference) => withoutDoubt(before.get(reference))),
  );
  return afterReferenceRecord(state, { effect, sourceVersion, operationIds: operationsOf(progress), settled });
}

/** The record, if a late report may still correct its outcome; else null. */
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
    before,
    receivedAt,
    attempts,
    traceparent,
  };
}

function withoutDoubt(stored: StoredReference | undefined): SettledRecord['before'] {
  if (stored === undefined) return [];
  const { inDoubt: _, ...before } = stored;
  return [before];
}
