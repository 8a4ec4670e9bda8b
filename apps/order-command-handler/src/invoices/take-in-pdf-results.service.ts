import type { BatchIntake, Decoded } from '@gondola/messaging/consume/batch-intake';
import type { Commands } from '@gondola/messaging/commands/commands';
import type { Lanes } from '@gondola/messaging/lanes/lanes';
import { HEADER, type InRecord } from '@gondola/messaging/codec/record-codec';
import type { RecordBatch } from '@gondola/messaging/consume/topic-handler';
import type { Tx } from '@gondola/service-kit/database/database';
import { parseBytes } from '@gondola/shared/json/json-digits';
import { readResult } from '@gondola/shared/results/read-result';
import { tenantOf } from '@gondola/shared/topics/tenant-of';
import { ORDER_COMMANDS } from '../orders/order-topics.ts';
import { isAboutPdf } from './pdf-outcome.ts';
import type { NewPdfResult, PdfResultStore } from '../orders/order-stores.ts';

export interface TakeInPdfResultsOptions {
  readonly intake: BatchIntake;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly results: PdfResultStore;
  readonly tenants: readonly string[];
  readonly wake: () => void;
}

/**
 * Mechanism 1 for `erp.files.results.v1`: what became of the PDFs that this app's sagas asked for. Results of all else
 * are skipped.
 */
export class TakeInPdfResults {
  readonly #options: TakeInPdfResultsOptions;

  constructor(options: TakeInPdfResultsOptions) {
    this.#options = options;
  }

  /** Resolves when the batch is committed. */
  async take(batch: RecordBatch): Promise<void> {
    const { intake, wake } = this.#options;
    await intake.store(
      batch,
      (record) => this.#decode(record),
      (tx, results) => this.#insert(tx, results),
    );
    wake();
  }

  #decode(record: InRecord): Decoded<NewPdfResult> {
    const { value } = record;
    const result = readResult(parseBytes(value));
    if (value === null || result === null) {
      return { kind: 'dead-letter', code: 'NOT_JSON', reason: 'The value is not a JSON object' };
    }
    const { parentCommandId, id } = result;
    if (!isAboutPdf(result) || parentCommandId === null || id === null) {
      return { kind: 'skip', why: 'not-of-an-order' };
    }
    const { tenants } = this.#options;
    const owner = tenantOf({ header: record.header(HEADER.tenant), field: result.tenant, known: tenants });
    if (!owner.ok) return { kind: 'dead-letter', code: owner.code, reason: `The tenant is ${owner.why}` };
    const { tenant } = owner;
    return { kind: 'item', item: { tenant, resultId: id, parentCommandId, value }, tenant };
  }

  async #insert(tx: Tx, results: readonly NewPdfResult[]): Promise<void> {
    const { lanes, commands, results: store } = this.#options;
    const parents = results.map(({ tenant, parentCommandId }) => ({
      tenant,
      topic: ORDER_COMMANDS,
      commandId: parentCommandId,
    }));
    await lanes.wake(tx, await commands.lanesOf(tx, parents));
    await store.insert(tx, results);
  }
}
