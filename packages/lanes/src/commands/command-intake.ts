import { Inject, Injectable } from '@nestjs/common';

import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import type { Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { TENANTS } from '@gondola/service-kit/config/injected';
import type { CommandIdentity, CommandReading } from '@gondola/shared/commands/command-identity';
import { conflictResult } from '@gondola/shared/results/command-results';
import { DEFAULT_LANGUAGE, type Language } from '@gondola/shared/outcomes/reason-codes';
import type { TopicName } from '@gondola/shared/topics/topics';

import { HEADER, type InRecord, type OutRecord, OWN_SOURCE } from '@gondola/kafka/records/record-codec';
import { resultRecord, type ResultTopic } from '@gondola/kafka/records/result-record';
import { BatchIntake, type Decoded } from '../intake/batch-intake.ts';
import type { RecordBatch } from '@gondola/kafka/server/topic-handler';
import { LaneWorkers } from '../lanes/lane-workers.ts';
import { type LaneKey, Lanes, laneText } from '../lanes/lanes.ts';
import { OutboxRelay } from '../outbox/outbox-relay.ts';
import { Outbox } from '../outbox/outbox.ts';
import { Commands, type InsertedCommands } from './commands.ts';
import type { NewCommand } from './new-command.ts';

/** End of the year 9999: RFC 3339 cannot express later times. */
const MAX_TIME_MS = 253_402_300_800_000;

/** An app's way of reading the commands of one topic. */
export interface CommandSource {
  readonly results: ResultTopic;
  /** Reads from a record what is necessary to queue its command. Pure; `tenants` are the configured tenants. */
  readonly read: (record: InRecord, tenants: readonly string[]) => CommandReading;
  /** Additional fields of the result of a conflicting repeat. */
  readonly conflict: { readonly field?: string; readonly skus?: readonly [] };
  /** Stores further rows of the app in the same transaction. */
  readonly beside?: (tx: Tx, taken: TakenCommands) => Promise<void>;
}

/** Result of inserting commands that arrived. */
export type TakenCommands = InsertedCommands<NewCommand>;

/** A command that is about to be queued. */
export interface ArrivedCommand {
  readonly identity: CommandIdentity;
  readonly value: Buffer | null;
  readonly traceparent: string;
  readonly producedAt: Date | null;
}

/**
 * Mechanism 1 for commands: each command joins a queue of its entity's lane, once. Whether a command can be carried
 * out is decided when its turn comes; only the reuse of its id for other content is answered at once (rule 19).
 *
 *   read its identity ──▶ one transaction: wake its lane, insert it, answer conflicts ──▶ wake workers and relay
 *           └─ unreadable ──▶ dead letter
 *
 * Tested in command-intake.int.spec.ts.
 */
@Injectable()
export class CommandIntake {
  readonly #languages: ReadonlyMap<string, Language>;
  readonly #tenants: readonly string[];

  constructor(
    private readonly intake: BatchIntake,
    private readonly lanes: Lanes,
    private readonly commands: Commands,
    private readonly outbox: Outbox,
    @Inject(LaneWorkers) private readonly workers: Pick<LaneWorkers, 'wake'>,
    @Inject(OutboxRelay) private readonly relay: Pick<OutboxRelay, 'wake'>,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'language'>>,
    private readonly clock: Clock,
  ) {
    this.#languages = new Map(tenants.map(({ id, language }) => [id, language]));
    this.#tenants = [...this.#languages.keys()];
  }

  /** Resolves when the batch is committed. */
  async take(batch: RecordBatch, source: CommandSource): Promise<void> {
    let woken: readonly LaneKey[] = [];
    await this.intake.store(
      batch,
      (record, traceparent) => decoded(record, traceparent, source.read(record, this.#tenants)),
      async (tx, arrived) => {
        woken = [...woken, ...arrived.map(laneOf)];
        await this.insert(tx, arrived, batch.topic, source);
      },
    );
    this.workers.wake(woken);
    this.relay.wake();
  }

  /**
   * Queues commands in `tx` and locks their lanes. Serves commands of a topic as well as those that arrive
   * otherwise. The caller calls `wake` after the commit.
   */
  async insert(
    tx: Tx,
    arrived: readonly ArrivedCommand[],
    topic: TopicName,
    source: Omit<CommandSource, 'read'>,
  ): Promise<TakenCommands> {
    const ids = await this.lanes.wake(tx, arrived.map(laneOf));
    const items = arrived.map((command) => newCommand(command, topic, ids.get(laneText(laneOf(command)))!));
    const taken = await this.commands.insert(tx, items);
    await source.beside?.(tx, taken);
    await this.outbox.append(
      tx,
      taken.conflicts.map(({ item, first }) => this.#conflict(item.arrived, topic, first.resultId, source)),
    );
    return taken;
  }

  /** To be called after a transaction that inserted commands. */
  wake(): void {
    this.workers.wake();
    this.relay.wake();
  }

  #conflict(
    { identity, value, traceparent, producedAt }: ArrivedCommand,
    inputTopic: TopicName,
    conflictsWith: string | null,
    { results, conflict }: Pick<CommandSource, 'results' | 'conflict'>,
  ): OutRecord {
    const language = this.#languages.get(identity.tenant) ?? DEFAULT_LANGUAGE;
    const time = new Date(this.clock.now()).toISOString();
    const about = { value, time, language, conflictsWith, ...conflict };
    const record = resultRecord(results, conflictResult({ ...identity, inputTopic }, about), traceparent);
    return { ...record, cameAt: Math.min(producedAt?.getTime() ?? Infinity, this.clock.now()) };
  }
}

function decoded(record: InRecord, traceparent: string, reading: CommandReading): Decoded<ArrivedCommand> {
  if (reading.kind === 'dead-letter') return reading;
  const { identity } = reading;
  const item = { identity, value: record.value, traceparent, producedAt: producedAt(record) };
  return { kind: 'item', tenant: identity.tenant, item };
}

/**
 * The time that the producer gave the record; null if that is no valid time. A command of Gondola's own apps has that
 * of the command that it comes from.
 */
function producedAt(record: InRecord): Date | null {
  const isOurs = record.header(HEADER.source)?.startsWith(OWN_SOURCE) === true;
  const ms = isOurs ? Date.parse(record.header(HEADER.time) ?? '') : Number(record.timestamp);
  return Number.isSafeInteger(ms) && ms > 0 && ms < MAX_TIME_MS ? new Date(ms) : null;
}

function laneOf({ identity: { tenant, lane } }: ArrivedCommand): LaneKey {
  return { tenant, ...lane };
}

function newCommand(
  arrived: ArrivedCommand,
  topic: TopicName,
  laneId: string,
): NewCommand & { readonly arrived: ArrivedCommand } {
  const { identity, value, traceparent, producedAt: at } = arrived;
  const { tenant, commandId, command, queue, contentHash, loadId = null } = identity;
  const item = { laneId, tenant, topic, commandId, command, contentHash, loadId };
  const own = { ...item, value, traceparent, producedAt: at, arrived };
  return queue === undefined ? own : { ...own, queue };
}
