import type { BatchIntake, Decoded } from '@gondola/messaging/consume/batch-intake';
import type { Commands, NewCommand } from '@gondola/messaging/commands/commands';
import { type LaneKey, type Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import type { Outbox } from '@gondola/messaging/outbox/outbox';
import { HEADER, type InRecord } from '@gondola/messaging/codec/record-codec';
import { resultRecord } from '@gondola/messaging/codec/result-record';
import type { RecordBatch } from '@gondola/messaging/consume/topic-handler';
import type { Tx } from '@gondola/service-kit/database/database';
import { DEFAULT_LANGUAGE, type Language } from '@gondola/shared/results/reason-codes';
import { conflictResult, FILE_COMMANDS, FILE_RESULTS } from '../domain/file-result.ts';
import { type FileCommandIdentity, readFileCommandIdentity } from '../domain/read-file-command.ts';

export interface TakeFileCommandsParts {
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
interface ArrivedCommand {
  readonly identity: FileCommandIdentity;
  readonly value: Buffer;
  readonly traceparent: string;
}

/**
 * Mechanism 1 for file commands of the ERP and of the order saga: each joins its lane's queue once. Whether it can be
 * carried out is decided in its turn; only that its id was used for something else is told at once (rule 19).
 */
export class TakeFileCommands {
  readonly #parts: TakeFileCommandsParts;

  constructor(parts: TakeFileCommandsParts) {
    this.#parts = parts;
  }

  /** Resolves when the batch is committed. */
  async take(batch: RecordBatch): Promise<void> {
    await this.#parts.intake.store(
      batch,
      (record, traceparent) => this.#decode(record, traceparent),
      (tx, commands) => this.#insert(tx, commands),
    );
    this.#parts.wake();
  }

  #decode(record: InRecord, traceparent: string): Decoded<ArrivedCommand> {
    const tenantHeader = record.header(HEADER.tenant);
    const tenants = [...this.#parts.languages.keys()];
    const reading = readFileCommandIdentity(record.value, { tenantHeader, tenants });
    if (reading.kind === 'dead-letter') return reading;
    const { identity } = reading;
    return {
      kind: 'item',
      item: { identity, value: record.value ?? Buffer.alloc(0), traceparent },
      tenant: identity.tenant,
    };
  }

  async #insert(tx: Tx, arrived: readonly ArrivedCommand[]): Promise<void> {
    const { lanes, commands, outbox } = this.#parts;
    const ids = await lanes.wake(tx, arrived.map(laneOf));
    const items = arrived.map((command) => newCommand(command, ids.get(laneText(laneOf(command)))!));
    const { conflicts } = await commands.insert(tx, items);
    await outbox.append(
      tx,
      conflicts.map(({ item, first }) => this.#conflict(item.arrived, first.resultId)),
    );
  }

  #conflict({ identity, value, traceparent }: ArrivedCommand, conflictsWith: string | null) {
    const { languages, now } = this.#parts;
    const language = languages.get(identity.tenant) ?? DEFAULT_LANGUAGE;
    const time = new Date(now()).toISOString();
    return resultRecord(
      FILE_RESULTS,
      conflictResult({ ...identity, value, time, language, conflictsWith }),
      traceparent,
    );
  }
}

function laneOf({ identity: { tenant, lane } }: ArrivedCommand): LaneKey {
  return { tenant, ...lane };
}

function newCommand(arrived: ArrivedCommand, laneId: string): NewCommand & { readonly arrived: ArrivedCommand } {
  const { identity, value, traceparent } = arrived;
  const { tenant, commandId, command, contentHash } = identity;
  return { laneId, tenant, topic: FILE_COMMANDS, commandId, command, contentHash, value, traceparent, arrived };
}
