import type { OutRecord } from '@gondola/kafka/records/record-codec';
import type { Tx } from '@gondola/service-kit/database/database';
import type { SavedStep } from '@gondola/lanes/commands/step-saver';
import { Clock } from '@gondola/service-kit/run/clock';
import { landsUntilMs, laterEndAt, lostCallEndMs } from '@gondola/shared/commands/late-calls';
import type { Result } from '@gondola/shared/results/result';
import { Injectable } from '@nestjs/common';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { afterReferenceRecord, type ReferenceLaneState, type SettledRecord } from './reference-lane-state.ts';
import type { StoredReference } from './stored-reference.ts';
import { ReferenceLanesRepository } from './reference-lanes.repository.ts';
import { ReferencesRepository } from './references.repository.ts';
import type { Save, Sending } from '../lanes/catalog-flow.ts';
import type { CatalogTenant } from '../lanes/catalog-tenants.service.ts';
import { operationsOf } from '../records/record-attempts.ts';
import type { ReferenceLane } from './load-references.service.ts';
import { unlessChanged } from './reference-corrections.ts';

type SendingReference = Sending<ReferenceLane>;

/** The end of a record in this step. */
interface Ended {
  readonly end: NonNullable<ReferenceLane['end']>;
  readonly result: Result;
}

/** Saves the state of brands or categories, and the lane that holds each. */
@Injectable()
export class SaveReferences {
  constructor(
    private readonly references: ReferencesRepository,
    private readonly referenceLanes: ReferenceLanesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Before an attempt: holds the record's references, if none has changed since the record was prepared, and no product
   * has meanwhile named a brand that is to be removed (rule 29).
   */
  async hold(
    tx: Tx,
    { id: tenant }: CatalogTenant,
    kind: ReferenceKind,
    sending: readonly SendingReference[],
  ): Promise<SendingReference[]> {
    const requests = sending.map(({ lane, known, progress }) => ({
      laneId: lane.id,
      references: new Map(
        progress.sent.map(({ externalReference }) => [
          externalReference,
          known.get(externalReference)?.revision ?? '0',
        ]),
      ),
    }));
    const granted = await this.references.hold(tx, tenant, kind, requests);
    const held = sending.filter(({ lane }) => granted.has(lane.id));
    const removing = held.filter(isFirstRemoval).map(({ lane }) => lane.identity);
    const inUse = await this.references.inUse(tx, tenant, kind, removing);
    return held.filter((each) => !isFirstRemoval(each) || !inUse.has(each.lane.identity));
  }

  async save(
    tx: Tx,
    { id: tenant, settings: { timeoutMs } }: CatalogTenant,
    kind: ReferenceKind,
    saved: readonly SavedStep<Save<ReferenceLane>>[],
  ): Promise<OutRecord[]> {
    const lanes = saved.map(({ step: { state }, concluded }) => ({ work: state, ended: endedBy(state, concluded) }));
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
      lanes.flatMap(({ work, ended: end }) => {
        const state = stateAfter(work, end, before);
        return state === null ? [] : [{ laneId: work.lane.id, state }];
      }),
    );
    const nowMs = this.clock.now();
    await this.references.release(
      tx,
      ended.map(({ work, end }) => ({ laneId: work.lane.id, landsInMs: landsUntilOf(end, timeoutMs) - nowMs })),
    );
    return [];
  }
}

/** True for a removal that was not sent yet and that products prevent. */
function isFirstRemoval({ progress }: SendingReference): boolean {
  return progress.route === 'delete' && progress.isForced !== true && progress.attempts.length === 0;
}

/** Null for a record that stays open or has another outcome already. */
function endedBy({ command, end }: ReferenceLane, concluded: ReadonlyMap<string, Result>): Ended | null {
  const result = command === null ? undefined : concluded.get(command.id);
  return end === null || result === undefined ? null : { end, result };
}

/** Time after which no lost call of a concluded record can take effect, in milliseconds since 1970. */
function landsUntilOf({ progress }: Ended['end'], timeoutMs: number): number {
  return landsUntilMs(laterEndAt(null, lostCallEndMs(progress?.attempts ?? [], timeoutMs)), timeoutMs);
}

function sentBy({ end }: Ended): string[] {
  return end.progress?.sent.map(({ externalReference }) => externalReference) ?? [];
}

/** The state of a lane after its step; null if nothing changed. */
function stateAfter(
  work: ReferenceLane,
  ended: Ended | null,
  before: ReadonlyMap<string, StoredReference>,
): ReferenceLaneState | null {
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
  { end, result }: Ended,
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
