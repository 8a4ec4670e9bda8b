import { HEADER, type InRecord } from '@gondola/kafka/records/record-codec';
import { Commands } from '@gondola/lanes/commands/commands';
import { BatchIntake, type Decoded } from '@gondola/lanes/intake/batch-intake';
import { type RecordBatch, TopicHandler } from '@gondola/kafka/server/topic-handler';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { Lanes } from '@gondola/lanes/lanes/lanes';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import type { Tx } from '@gondola/service-kit/database/database';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { parseBytes } from '@gondola/shared/json/json-digits';
import { readResult } from '@gondola/shared/results/read-result';
import { notAnObject, tenantUnknown } from '@gondola/shared/results/unreadable-reason';
import { tenantOf } from '@gondola/shared/topics/tenant-of';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { ORDER_COMMANDS } from '../orders/order-topics.ts';
import { isAboutPdf } from './pdf-outcome.ts';
import { type NewPdfResult, PdfResultsRepository } from './pdf-results.repository.ts';

/**
 * Mechanism 1 for `erp.files.results.v1`: stores the results of PDFs that this app's sagas requested and skips all
 * others.
 */
@Controller()
export class PdfResultsConsumer {
  readonly #tenants: readonly string[];

  constructor(
    private readonly intake: BatchIntake,
    private readonly lanes: Lanes,
    private readonly commands: Commands,
    private readonly results: PdfResultsRepository,
    private readonly workers: LaneWorkers,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id'>>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  @TopicHandler('erp.files.results.v1')
  async handle(@Payload() batch: RecordBatch): Promise<void> {
    await this.intake.store(
      batch,
      (record) => this.#decode(record),
      (tx, results) => this.#insert(tx, results),
    );
    this.workers.wake();
  }

  #decode(record: InRecord): Decoded<NewPdfResult> {
    const { value } = record;
    const result = readResult(parseBytes(value));
    if (value === null || result === null) {
      return { kind: 'dead-letter', code: 'NOT_JSON', reason: notAnObject(value) };
    }
    const { parentCommandId, id } = result;
    if (!isAboutPdf(result) || parentCommandId === null || id === null) {
      return { kind: 'skip', why: 'not-of-an-order' };
    }
    const owner = tenantOf({ header: record.header(HEADER.tenant), field: result.tenant, known: this.#tenants });
    if (!owner.ok)
      return { kind: 'dead-letter', code: owner.code, reason: tenantUnknown(owner, result.tenant ?? undefined) };
    const { tenant } = owner;
    return { kind: 'item', item: { tenant, resultId: id, parentCommandId, value }, tenant };
  }

  async #insert(tx: Tx, results: readonly NewPdfResult[]): Promise<void> {
    const parents = results.map(({ tenant, parentCommandId: commandId }) => ({
      tenant,
      topic: ORDER_COMMANDS,
      commandId,
    }));
    await this.lanes.wake(tx, await this.commands.lanesOf(tx, parents));
    await this.results.insert(tx, results);
  }
}
