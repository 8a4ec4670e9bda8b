import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import type { Tx } from '@gondola/service-kit/database/database';
import type { ReferenceKind } from '../domain/catalog-kinds.ts';
import type { SettledRecord } from '../domain/settled-record.ts';
import { afterReferenceRecord, type ReferenceLaneState } from '../domain/reference-lane-state.ts';
import type { ReferenceHoldsRepository } from '../outbound/reference-holds.repository.ts';
import type { ReferenceLanesRepository } from '../outbound/reference-lanes.repository.ts';
import type { ReferencesRepository } from '../outbound/references.repository.ts';
import type { OutgoingReference, ReferenceEnd, ReferenceLane } from './reference-work.ts';
import type { KeptLane, LaneKeeper } from './save-lanes.ts';

export interface ReferenceKeeperParts {
  readonly tenant: string;
  readonly kind: ReferenceKind;
  readonly references: ReferencesRepository;
  readonly referenceLanes: ReferenceLanesRepository;
  readonly holds: ReferenceHoldsRepository;
}

type Kept = KeptLane<ReferenceLane, ReferenceEnd>;

/** Keeps brands or categories as they are known, and who is changing which. */
export class ReferenceKeeper implements LaneKeeper<ReferenceLane, ReferenceEnd> {
  readonly #parts: ReferenceKeeperParts;

  constructor(parts: ReferenceKeeperParts) {
    this.#parts = parts;
  }

  /** Before a sending: nobody else changes what the record covers, and nobody has since it was made whole. */
  async claim(tx: Tx, outgoing: readonly OutgoingReference[]): Promise<OutgoingReference[]> {
    const { holds, tenant, kind } = this.#parts;
    const requests = outgoing.map(({ work, progress }) => ({
      laneId: work.lane.id,
      references: new Map(
        progress.sent.map(({ externalReference }) => [
          externalReference,
          work.known.get(externalReference)?.revision ?? '0',
        ]),
      ),
    }));
    const granted = await holds.take(tx, tenant, kind, requests);
    return outgoing.filter(({ work }) => granted.has(work.lane.id));
  }

  async keep(tx: Tx, kept: readonly Kept[]): Promise<OutRecord[]> {
    const { references, referenceLanes, holds, tenant, kind } = this.#parts;
    const states: { laneId: string; state: ReferenceLaneState }[] = [];
    for (const { work, ended } of kept) {
      const laneId = work.lane.id;
      const corrected = new Set(work.corrections.map(({ record }) => record));
      const state = { ...work.state, settled: work.state.settled.filter((record) => !corrected.has(record)) };
      await references.save(
        tx,
        tenant,
        kind,
        work.corrections.map(({ settled }) => settled.effect),
      );
      if (ended !== null) {
        states.push({ laneId, state: await this.#afterEnd(tx, work, state, ended) });
      } else if (corrected.size > 0) states.push({ laneId, state });
    }
    await referenceLanes.save(tx, states);
    await holds.release(
      tx,
      kept.flatMap(({ work, ended }) => (ended === null ? [] : [work.lane.id])),
    );
    return [];
  }

  async #afterEnd(
    tx: Tx,
    work: ReferenceLane,
    state: ReferenceLaneState,
    { end, result }: NonNullable<Kept['ended']>,
  ): Promise<ReferenceLaneState> {
    const { references, tenant, kind } = this.#parts;
    const { effect, sourceVersion, operationIds } = end;
    const sent = end.progress?.sent.map(({ externalReference }) => externalReference) ?? [];
    // As it is known right before it changes; what was known when the record was made whole is the same, since the lane
    // held it.
    const before = await references.load(tx, tenant, kind, sent);
    await references.save(tx, tenant, kind, [effect]);
    const settled = settledRecord(work, { end, result }, [...before.values()]);
    return afterReferenceRecord(state, { effect, sourceVersion, operationIds, settled });
  }
}

/** What is remembered of a record whose end may still turn out otherwise. */
function settledRecord(
  { command }: ReferenceLane,
  { end, result }: NonNullable<Kept['ended']>,
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
