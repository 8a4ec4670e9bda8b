import type { Commands, OpenCommand } from '@gondola/messaging/commands/commands';
import type { ClaimedLane } from '@gondola/messaging/lanes/lanes';
import type { Database } from '@gondola/service-kit/database/database';
import type { Language } from '@gondola/shared/results/reason-codes';
import { waitingFromText } from '../domain/awaiting.ts';
import type { ReferenceKind } from '../domain/catalog-kinds.ts';
import { findReferenceCorrections } from '../domain/reference-corrections.ts';
import { referenceProgressFromText } from '../domain/reference-progress.ts';
import type { ReferenceLaneState } from '../domain/reference-lane-state.ts';
import { operationIdsOf } from '@gondola/shared/commands/attempts';
import type { OperationsRepository } from '../outbound/operations.repository.ts';
import type { ReferenceLanesRepository } from '../outbound/reference-lanes.repository.ts';
import type { ReferenceLane } from './reference-work.ts';

export interface LoadReferencesParts {
  readonly tenant: string;
  readonly kind: ReferenceKind;
  readonly database: Database;
  readonly commands: Commands;
  readonly referenceLanes: ReferenceLanesRepository;
  readonly operations: OperationsRepository;
  readonly language: Language;
}

/**
 * Reads what a step looks at: of each lane its oldest open record, what is known of its records, and the reports that
 * came.
 */
export class LoadReferences {
  readonly #parts: LoadReferencesParts;

  constructor(parts: LoadReferencesParts) {
    this.#parts = parts;
  }

  async load(lanes: readonly ClaimedLane[]): Promise<ReferenceLane[]> {
    const { database, commands, referenceLanes, kind, language } = this.#parts;
    const ids = lanes.map(({ id }) => id);
    const heads = new Map((await commands.heads(database, ids)).map((command) => [command.laneId, command]));
    const states = await referenceLanes.load(database, ids);
    const reports = await this.#reports(lanes, [...heads.values()], [...states.values()]);
    return lanes.map((lane) => {
      const command = heads.get(lane.id) ?? null;
      const state = states.get(lane.id)!;
      const corrections = findReferenceCorrections(kind, state.settled, reports, language);
      const corrected = corrections.map(({ record, settled }) => ({ ...record, conclusion: settled.conclusion }));
      const waiting = waitingFromText(command?.progress ?? null);
      return { lane, command, corrected, state, corrections, reports, waiting, known: new Map() };
    });
  }

  /** By operation, and by entity: of those that are on their way, and of those that have settled. */
  async #reports(lanes: readonly ClaimedLane[], heads: readonly OpenCommand[], states: readonly ReferenceLaneState[]) {
    const { operations, database, tenant, kind } = this.#parts;
    const open = heads.flatMap(({ progress }) => referenceProgressFromText(progress) ?? []);
    const settled = states.flatMap((state) => state.settled);
    const sent = [...open, ...settled.map(({ progress }) => progress)].flatMap((progress) => progress.sent);
    return operations.reports(database, tenant, {
      operationIds: [...open.flatMap(operationIdsOf), ...settled.flatMap(({ operationIds }) => operationIds)],
      kind,
      externalReferences: [...lanes.map(({ identity }) => identity), ...sent.map((each) => each.externalReference)],
    });
  }
}
