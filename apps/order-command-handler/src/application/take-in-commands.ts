import type { BatchIntake, Decoded } from '@gondola/messaging/consume/batch-intake';
import type { Commands, NewCommand } from '@gondola/messaging/commands/commands';
import { type Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import type { Outbox } from '@gondola/messaging/outbox/outbox';
import { HEADER, type InRecord } from '@gondola/messaging/codec/record-codec';
import { resultRecord } from '@gondola/messaging/codec/result-record';
import type { RecordBatch } from '@gondola/messaging/consume/topic-handler';
import type { Tx } from '@gondola/service-kit/database/database';
import { orderCommandQueue } from '@gondola/shared/orders/order-command-names';
import { DEFAULT_LANGUAGE, type Language } from '@gondola/shared/results/reason-codes';
import { type CommandIdentity, readCommandIdentity } from '../domain/read-command.ts';
import { conflictResult, ORDER_RESULTS } from '../domain/order-result.ts';
import { commandLane } from './order-lane.ts';

export interface TakeInCommandsOptions {
  readonly intake: BatchIntake;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly outbox: Outbox;
  /** Language of each tenant that is known. */
  readonly languages: ReadonlyMap<string, Language>;
  readonly now: () => number;
  readonly wake: () => void;
}

/** A command on its way into its lane's queue. */
interface ArrivedCommand extends CommandIdentity {
  readonly value: Buffer;
  readonly traceparent: string;
}

/**
 * Mechanism 1 for the ERP's commands: each joins its order's queue once. Whether it can be carried out is decided in
 * its turn; only that its id was used for something else is told at once (rule 19).
 */
export class TakeInCommands {
  readonly #options: TakeInCommandsOptions;

  constructor(options: TakeInCommandsOptions) {
    this.#options = options;
  }

  /** Resolves when the batch is committed. */
  async take(batch: RecordBatch): Promise<void> {
    const { intake, wake } = this.#options;
    await intake.store(
      batch,
      (record, traceparent) => this.#decode(record, traceparent),
      (tx, commands) => this.#insert(tx, commands),
    );
    wake();
  }

  #decode(record: InRecord, traceparent: string): Decoded<ArrivedCommand> {
    const tenantHeader = record.header(HEADER.tenant);
    const reading = readCommandIdentity(record.value, { tenantHeader, tenants: [...this.#options.languages.keys()] });
    if (reading.kind === 'dead-letter') return reading;
    const { identity } = reading;
    return {
      kind: 'item',
      item: { ...identity, value: record.value ?? Buffer.alloc(0), traceparent },
      tenant: identity.tenant,
    };
  }

  async #insert(tx: Tx, arrived: readonly ArrivedCommand[]): Promise<void> {
    const { lanes, commands, outbox } = this.#options;
    const laneIds = await lanes.wake(tx, arrived.map(commandLane));
    const items = arrived.map((command) => newCommand(command, laneIds.get(laneText(commandLane(command)))!));
    const { conflicts } = await commands.insert(tx, items);
    await outbox.append(
      tx,
      conflicts.map(({ item, first }) => this.#conflict(item.arrived, first.resultId)),
    );
  }

  #conflict(arrived: ArrivedCommand, conflictsWith: string | null) {
    const { languages, now } = this.#options;
    const language = languages.get(arrived.tenant) ?? DEFAULT_LANGUAGE;
    const time = new Date(now()).toISOString();
    const result = conflictResult({ ...arrived, language, time, conflictsWith });
    return resultRecord(ORDER_RESULTS, result, arrived.traceparent);
  }
}

function newCommand(arrived: ArrivedCommand, laneId: string): NewCommand & { readonly arrived: ArrivedCommand } {
  const { tenant, commandId, command, contentHash, value, traceparent } = arrived;
  const topic = 'erp.orders.commands.v1';
  const queue = orderCommandQueue(command);
  return { laneId, tenant, topic, commandId, command, queue, contentHash, value, traceparent, arrived };
}
