import type { Commands, OpenCommand } from '@gondola/messaging/commands';
import type { ClaimedLane, NextDue } from '@gondola/messaging/lanes';
import type { Outbox } from '@gondola/messaging/outbox';
import type { Tx } from '@gondola/service-kit/database';
import type { Logger } from '@gondola/service-kit/logger';
import { buildResult, type Result } from '@gondola/shared/result';
import type { Conclusion } from '../domain/conclusion.ts';
import type { StoredReport } from '../domain/decide-product.ts';
import { afterRecord, type KnownProduct } from '../domain/known-product.ts';
import { operationIdsOf, type ProductProgress, progressToText } from '../domain/product-progress.ts';
import type { ProductReportsRepository } from '../outbound/product-reports.repository.ts';
import type { ProductsRepository } from '../outbound/products.repository.ts';
import { resultRecord } from '../outbound/result-record.ts';
import { PRODUCTS_TOPIC } from './take-product-records.ts';

/** One lane's work in a step. */
export interface Work {
  readonly lane: ClaimedLane;
  readonly command: OpenCommand;
  readonly known: KnownProduct;
  readonly reports: readonly StoredReport[];
}

/** Where a lane's step ends: what is saved, and when it is due again. */
export type End =
  | {
      readonly kind: 'wait';
      readonly work: Work;
      readonly progress: ProductProgress | null;
      readonly ms: number;
      /** The last call cannot have reached the platform's queue. */
      readonly notSent?: boolean;
    }
  | {
      readonly kind: 'concluded';
      readonly work: Work;
      readonly progress: ProductProgress | null;
      readonly conclusion: Conclusion;
      /** The report it was concluded by does not add up (rule 26). */
      readonly anomaly: boolean;
    };

export interface SaveProductEndsParts {
  readonly tenant: string;
  readonly commands: Commands;
  readonly outbox: Outbox;
  readonly products: ProductsRepository;
  readonly reports: ProductReportsRepository;
  readonly logger: Logger;
  readonly now: () => Date;
}

const AT_ONCE = { inMs: 0 };
const NEWEST_ID = '9223372036854775807';

/** Saves what a step came to, in the transaction that returns its lanes: outcomes, results, knowledge, progress. */
export class SaveProductEnds {
  readonly #parts: SaveProductEndsParts;

  constructor(parts: SaveProductEndsParts) {
    this.#parts = parts;
  }

  async save(tx: Tx, held: readonly ClaimedLane[], works: readonly Work[], ends: readonly End[]): Promise<NextDue> {
    const busy = new Set(works.map(({ lane }) => lane.id));
    const byLane = new Map(ends.map((end) => [end.work.lane.id, end]));
    const due = new Map<string, { inMs: number } | null>();
    for (const { id } of held) {
      const end = byLane.get(id);
      if (end !== undefined) due.set(id, await this.#saveEnd(tx, end));
      else due.set(id, busy.has(id) ? AT_ONCE : await this.#sleep(tx, id));
    }
    return due;
  }

  /** No record is open: nobody waits for what was reported. */
  async #sleep(tx: Tx, laneId: string): Promise<null> {
    await this.#parts.reports.forget(tx, laneId, NEWEST_ID);
    return null;
  }

  async #saveEnd(tx: Tx, end: End): Promise<{ inMs: number }> {
    const { commands } = this.#parts;
    const { work, progress } = end;
    if (end.kind === 'concluded') {
      await this.#conclude(tx, end);
      return AT_ONCE;
    }
    if (end.notSent === true) await commands.markNotSent(tx, [work.command.id]);
    if (progress !== null) await commands.saveProgress(tx, work.command.id, progressToText(progress));
    return { inMs: end.ms };
  }

  async #conclude(tx: Tx, end: Extract<End, { kind: 'concluded' }>): Promise<void> {
    const { tenant, commands, outbox, products, reports } = this.#parts;
    const { work, progress, conclusion } = end;
    const { lane, command, known } = work;
    const result = this.#result(end);
    // An outcome that was given stays: then nothing is told either (guarantee 3).
    if (!(await commands.finish(tx, command.id, conclusion.outcome, result.id))) return;
    const after = afterRecord(known, {
      appliedProduct: conclusion.appliedProduct,
      sourceVersion: progress?.sourceVersion ?? null,
      operationIds: result.operationIds,
    });
    await products.save(tx, { laneId: lane.id, tenant, externalReference: lane.identity, known: after });
    const newest = work.reports.at(-1);
    if (newest !== undefined) await reports.forget(tx, lane.id, newest.id);
    await outbox.append(tx, [resultRecord(result, command.traceparent)]);
    this.#tell(end, result);
  }

  #result({ work, progress, conclusion }: Extract<End, { kind: 'concluded' }>): Result {
    const { appliedProduct: _, ...told } = conclusion;
    const { lane, command } = work;
    return buildResult({
      ...told,
      tenant: this.#parts.tenant,
      inputTopic: PRODUCTS_TOPIC,
      commandId: command.commandId,
      command: command.command,
      entity: { kind: 'product', externalReference: lane.identity },
      warnings: progress?.warnings ?? [],
      operationIds: progress === null ? [] : operationIdsOf(progress),
      attempts: command.attempts,
      receivedAt: command.receivedAt,
      time: this.#parts.now().toISOString(),
    });
  }

  /** One wide line for each record that ends. */
  #tell({ work, anomaly }: Extract<End, { kind: 'concluded' }>, result: Result): void {
    const { logger } = this.#parts;
    const { tenant, commandId, outcome, evidence, reason, attempts, operationIds } = result;
    const { traceparent } = work.command;
    const fields = {
      tenant,
      commandId,
      outcome,
      evidence,
      reasonCode: reason?.code,
      attempts,
      operationIds,
      traceparent,
    };
    logger.info(fields, 'Product record ended');
    if (anomaly) logger.warn(fields, 'The platform reported a product by figures that do not add up');
  }
}
