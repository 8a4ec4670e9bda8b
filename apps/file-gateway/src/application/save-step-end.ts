import type { Commands } from '@gondola/messaging/commands/commands';
import type { Lanes, NextDue } from '@gondola/messaging/lanes/lanes';
import type { Outbox } from '@gondola/messaging/outbox/outbox';
import { resultRecord } from '@gondola/messaging/codec/result-record';
import type { Tx } from '@gondola/service-kit/database/database';
import type { Result } from '@gondola/shared/results/result';
import { endResult, FILE_RESULTS, waitingResult } from '../domain/file-result.ts';
import type { LaneWork, StepEnd } from './file-lane.ts';
import type { FileReport } from './file-report.ts';
import type { AppliedImageStore, FailureStore, InvoiceFileStore, UploadStore } from './file-stores.ts';

export interface SaveStepEndParts {
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly outbox: Outbox;
  readonly uploads: UploadStore;
  readonly failures: FailureStore;
  readonly applied: AppliedImageStore;
  readonly invoiceFiles: InvoiceFileStore;
  readonly report: FileReport;
  readonly now: () => number;
}

const AT_ONCE = { inMs: 0 };

/**
 * Ends a step: outcome, result, knowledge, progress and the lane's next due time in one transaction (mechanisms 2, 3).
 */
export class SaveStepEnd {
  readonly #parts: SaveStepEndParts;

  constructor(parts: SaveStepEndParts) {
    this.#parts = parts;
  }

  async save(work: LaneWork, end: StepEnd): Promise<void> {
    const { lanes, report } = this.#parts;
    let told: readonly Result[] = [];
    await lanes.finish([work.lane], async (tx): Promise<NextDue> => {
      told = end.kind === 'wait' ? await this.#wait(tx, work, end) : await this.#conclude(tx, work, end);
      return new Map([[work.lane.id, end.kind === 'wait' ? { inMs: end.ms } : AT_ONCE]]);
    });
    report.told(told);
  }

  async #wait(tx: Tx, work: LaneWork, end: Extract<StepEnd, { kind: 'wait' }>): Promise<readonly Result[]> {
    const { commands, outbox } = this.#parts;
    const { command } = work;
    const { text, operationIds } = end.progress;
    if (end.notSent === true) await commands.markNotSent(tx, [command.id]);
    if (text !== null) await commands.saveProgress(tx, command.id, text);
    await this.#remember(tx, work, operationIds);
    if (end.awaits === undefined) return [];
    const result = waitingResult({ ...command, time: this.#time() }, end.awaits);
    await outbox.append(tx, [resultRecord(FILE_RESULTS, result, command.traceparent)]);
    return [result];
  }

  async #conclude(tx: Tx, work: LaneWork, end: Extract<StepEnd, { kind: 'concluded' }>): Promise<readonly Result[]> {
    const { commands, outbox, uploads, applied, invoiceFiles } = this.#parts;
    const { command, lane } = work;
    const { conclusion, attempts, operationIds, images, invoice, held } = end;
    const result = endResult({ ...command, attempts, operationIds, time: this.#time() }, conclusion);
    // An outcome that was given stays: then nothing is told either (guarantee 3).
    if (!(await commands.finish(tx, command.id, conclusion.outcome, result.id))) return [];
    await outbox.append(tx, [resultRecord(FILE_RESULTS, result, command.traceparent)]);
    await this.#remember(tx, work, operationIds);
    if (images !== undefined) await applied.save(tx, lane.tenant, images.skuExternalReference, images.applied);
    if (invoice !== undefined) await invoiceFiles.save(tx, lane.tenant, invoice.orderId, invoice.sha256);
    if (held.length > 0) await uploads.release(tx, held);
    return [result];
  }

  async #remember(tx: Tx, { lane, command }: LaneWork, operationIds: readonly string[]): Promise<void> {
    const about = { tenant: lane.tenant, laneId: lane.id, commandRowId: command.id };
    await this.#parts.failures.rememberOperations(tx, about, operationIds);
  }

  #time(): string {
    return new Date(this.#parts.now()).toISOString();
  }
}
