import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';

import type { Tx } from '@gondola/service-kit/database/database';
import { tracing } from '@gondola/service-kit/tracing/tracing';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { TopicName } from '@gondola/shared/topics/topics';

import {
  CONCLUDE_COMMANDS,
  CONTENTS_OF_LANE,
  COUNT_OPEN,
  COUNT_STAYING,
  COMMANDS_OF_LANES,
  DONE_IN_LANE,
  ERASE_COMMANDS,
  FIRST_COMMANDS,
  INSERT_COMMANDS,
  LANES_OF_COMMANDS,
  LANES_WITH_OPEN,
  MOVE_COMMANDS,
  NAMED_COMMANDS,
  OPEN_COMMANDS,
  OPEN_HEADS,
  OPEN_OF_LANES,
  OPEN_OF_TOPIC,
  SAID_IN_LANES,
  SAVE_COMMANDS,
  WITH_EARLIER,
  saveCommands,
} from './commands.sql.ts';
import { COMMAND_COLUMNS, MAIN_QUEUE, type NewCommand } from './new-command.ts';
import { withArrays } from '../store/array-parameter.ts';
import { arraysOf } from '../store/new-rows.ts';
import type { Beside, LaneKey } from '../lanes/lanes.ts';
import type { Queryable } from '../store/queryable.ts';

/** The first command that arrived under an id. */
export interface FirstCommand {
  readonly id: string;
  /** Null while the command is open. */
  readonly outcome: FinalOutcome | null;
  /** `id` of the final result, null while there is none; `conflictsWith` in the result of a conflicting repeat. */
  readonly resultId: string | null;
}

export interface InsertedCommands<T extends NewCommand> {
  readonly inserted: ReadonlyArray<{ readonly item: T; readonly id: string }>;
  /** Commands that arrived again with the same content. */
  readonly repeats: ReadonlyArray<{ readonly item: T; readonly first: FirstCommand }>;
  /** Commands with other content under the id of an earlier command. */
  readonly conflicts: ReadonlyArray<{ readonly item: T; readonly first: FirstCommand }>;
}

export interface OpenCommand {
  readonly id: string;
  readonly laneId: string;
  readonly tenant: string;
  readonly topic: TopicName;
  readonly commandId: string;
  readonly command: string;
  readonly queue: string;
  readonly value: Buffer | null;
  readonly traceparent: string;
  /** RFC 3339 in UTC by the database's clock, like the other times. */
  readonly receivedAt: string;
  /** The record's own time, at which it was written to its topic; null if unknown. */
  readonly producedAt: string | null;
  /** JSON text that the app stored; null before the first time. */
  readonly progress: string | null;
  /** Number of calls that change something at the platform, answered or not. */
  readonly attempts: number;
  readonly firstSentAt: string | null;
  readonly deadlineAt: string | null;
  /** Milliseconds until `deadlineAt`, negative once it has passed. */
  readonly deadlineInMs: number | null;
}

/** A command whose turn it is. */
export interface HeadCommand extends OpenCommand {
  /** True if no other command waits behind it in its queue. */
  readonly isLast: boolean;
}

/** An open command of a topic. */
export interface OpenOfTopic extends Pick<OpenCommand, 'id' | 'value' | 'progress'> {
  /** Identity of the command's lane. */
  readonly identity: string;
}

/** A command, open or done. */
export interface NamedCommand extends OpenCommand {
  /** Identity of the command's lane. */
  readonly identity: string;
  /** Null while the command is open, like the two fields below. */
  readonly outcome: FinalOutcome | null;
  readonly resultId: string | null;
  readonly finishedAt: string | null;
}

/** A command as its record says it, and how it ended; null while it is open. */
export interface SaidCommand extends Pick<OpenCommand, 'laneId' | 'commandId' | 'command' | 'value'> {
  readonly outcome: FinalOutcome | null;
}

/** A command of a lane, open or done, without its content. */
export interface PastCommand {
  readonly id: string;
  /** Kind and identity of the lane. */
  readonly kind: string;
  readonly identity: string;
  readonly commandId: string;
  readonly command: string;
  readonly receivedAt: Date;
  /** Null while the command is open. */
  readonly outcome: FinalOutcome | null;
  readonly finishedAt: Date | null;
  readonly loadId: string | null;
}

type CommandTime = 'receivedAt' | 'producedAt' | 'firstSentAt' | 'deadlineAt' | 'finishedAt';

/** A command as it is read: with times in place of their texts. */
type Stored<T> = { [Key in keyof T]: Key extends CommandTime ? Date | Extract<T[Key], null> : T[Key] };

/** Change of an open command's progress, stored between two steps. */
export interface CommandChange {
  readonly id: string;
  /** Progress as JSON text; null leaves it unchanged. */
  readonly progress: string | null;
  readonly attempt?: AttemptChange;
  /** True if the command begins to wait for references, which lasts until its first attempt. */
  readonly awaits?: boolean;
}

/**
 * An attempt is stored before its call, and taken back if the call cannot have reached the platform's queue (401,
 * 403, 429, refused connection). The deadline runs from the first attempt (rule 5).
 */
export type AttemptChange = { readonly kind: 'made'; readonly deadlineMs: number } | { readonly kind: 'taken-back' };

export interface CommandOutcome {
  readonly id: string;
  readonly outcome: FinalOutcome;
  /** `id` of the result with this outcome. */
  readonly resultId: string;
}

/** Number of open commands of one name in the lanes of one kind. */
export interface OpenCount {
  readonly tenant: string;
  readonly kind: string;
  readonly command: string;
  readonly open: number;
  /** Number of these that were sent and have no outcome yet. */
  readonly sent: number;
}

type InsertedRow = { id: string } & Pick<NewCommand, 'tenant' | 'topic' | 'commandId'>;
type FirstRow = FirstCommand & Pick<NewCommand, 'tenant' | 'topic' | 'commandId' | 'contentHash'>;

/**
 * The queue behind each lane. Guarantees: a command id is accepted once, however often it arrives on however many
 * replicas, until `CommandSweep` deletes it; an outcome is given once and never changes (guarantee 3); a lane's
 * commands run in the order of their arrival. Tested in commands.int.spec.ts.
 */
@Injectable()
export class Commands {
  /**
   * Adds commands, in their order, to lanes that `Lanes.wake` has locked in this transaction. Returns the repeats
   * and conflicts among them.
   */
  async insert<T extends NewCommand>(tx: Tx, items: readonly T[]): Promise<InsertedCommands<T>> {
    const { inserted, known } = await this.#insertNew(tx, items);
    const { gone, ...compared } = await this.#compareWithFirst(tx, known);
    if (gone.length === 0) return { inserted, ...compared };
    // The first commands with these ids were deleted between the two statements.
    const again = await this.insert(tx, gone);
    return {
      inserted: [...inserted, ...again.inserted],
      repeats: [...compared.repeats, ...again.repeats],
      conflicts: [...compared.conflicts, ...again.conflicts],
    };
  }

  async #insertNew<T extends NewCommand>(
    tx: Tx,
    items: readonly T[],
  ): Promise<Pick<InsertedCommands<T>, 'inserted'> & { readonly known: readonly T[] }> {
    if (items.length === 0) return { inserted: [], known: [] };
    const { rows } = await withArrays(arraysOf(COMMAND_COLUMNS, items), (arrays) =>
      tx.query<InsertedRow>(INSERT_COMMANDS, arrays),
    );
    const idOfKey = new Map(rows.map((row) => [uniqueKey(row), row.id]));
    const inserted: Array<{ item: T; id: string }> = [];
    const known: T[] = [];
    for (const item of items) {
      const key = uniqueKey(item);
      const id = idOfKey.get(key);
      if (id === undefined) known.push(item);
      else inserted.push({ item, id });
      idOfKey.delete(key);
    }
    return { inserted, known };
  }

  /**
   * The commands whose turn it is: the oldest open command of each queue of each lane. Queues other than the main
   * queue come first. Within a lane's step, their `traceparent` is that of its span.
   */
  async heads(db: Queryable, laneIds: readonly string[]): Promise<HeadCommand[]> {
    const { rows } = await db.query<Stored<HeadCommand>>(OPEN_HEADS, [laneIds]);
    return rows
      .map((row) => ({ ...tracedCommand(openCommand(row)), isLast: row.isLast }))
      .toSorted((one, other) => Number(isMain(one)) - Number(isMain(other)));
  }

  /** Those of these lanes that have an open command. */
  async lanesWithOpen(db: Queryable, laneIds: readonly string[]): Promise<Set<string>> {
    const { rows } = await db.query<{ laneId: string }>(LANES_WITH_OPEN, [laneIds]);
    return new Set(rows.map(({ laneId }) => laneId));
  }

  /** Names of all commands of a lane, each once. */
  async namesOf(db: Queryable, laneId: string): Promise<string[]> {
    const text = 'SELECT DISTINCT command FROM commands WHERE lane_id = $1';
    return (await db.query<{ command: string }>(text, [laneId])).rows.map(({ command }) => command);
  }

  /** At most `limit` open commands of a lane, oldest first, for operators. */
  async open(db: Queryable, laneId: string, limit: number): Promise<OpenCommand[]> {
    const { rows } = await db.query<Stored<OpenCommand>>(OPEN_COMMANDS, [laneId, limit]);
    return rows.map(openCommand);
  }

  /** Commands of lanes, open or done, newest first, for operators. */
  async ofLanes(db: Queryable, laneIds: readonly string[], before: string, limit: number): Promise<PastCommand[]> {
    const { rows } = await db.query<PastCommand & QueryResultRow>(COMMANDS_OF_LANES, [laneIds, before, limit]);
    return rows;
  }

  /** Commands of lanes that have one of the names, open or done, oldest first. */
  async said(db: Queryable, laneIds: readonly string[], names: readonly string[]): Promise<SaidCommand[]> {
    return (await db.query<SaidCommand & QueryResultRow>(SAID_IN_LANES, [laneIds, names])).rows;
  }

  /** Commands with these ids, open or done, oldest first, for operators. */
  async named(db: Queryable, tenant: string, topic: TopicName, commandIds: readonly string[]): Promise<NamedCommand[]> {
    if (commandIds.length === 0) return [];
    const { rows } = await db.query<Stored<NamedCommand>>(NAMED_COMMANDS, [tenant, topic, commandIds]);
    return rows.map((row) => ({ ...row, ...openCommand(row), finishedAt: row.finishedAt?.toISOString() ?? null }));
  }

  /** Content hashes of the first commands that arrived under these ids, by id. */
  async contentHashes(
    db: Queryable,
    tenant: string,
    topic: TopicName,
    commandIds: readonly string[],
  ): Promise<Map<string, string>> {
    if (commandIds.length === 0) return new Map();
    const many = (text: string): string[] => commandIds.map(() => text);
    const { rows } = await db.query<FirstRow>(FIRST_COMMANDS, [many(tenant), many(topic), commandIds]);
    return new Map(rows.map(({ commandId, contentHash }) => [commandId, contentHash]));
  }

  /**
   * Open commands of lanes, oldest first in each lane: all that were sent, and at most `unsent` of the others. For
   * lanes whose commands need not wait for each other.
   */
  async openOf(db: Queryable, laneIds: readonly string[], unsent: number): Promise<Map<string, OpenCommand[]>> {
    const { rows } = await db.query<Stored<OpenCommand>>(OPEN_OF_LANES, [laneIds, unsent]);
    return Map.groupBy(rows.map(openCommand), ({ laneId }) => laneId);
  }

  /** At most `limit` open commands of a topic's main queues, in the order of their arrival. */
  async openOfTopic(
    db: Queryable,
    { tenant, topic }: Pick<NewCommand, 'tenant' | 'topic'>,
    limit: number,
  ): Promise<OpenOfTopic[]> {
    const { rows } = await db.query<OpenOfTopic & QueryResultRow>(OPEN_OF_TOPIC, [tenant, topic, MAIN_QUEUE, limit]);
    return rows;
  }

  /**
   * The ones among pairs of a lane and a command (its `id`) whose lane has an open command that was written before the
   * other, as `<laneId>/<id>`.
   */
  async withEarlier(
    db: Queryable,
    asked: readonly { readonly laneId: string; readonly commandId: string }[],
  ): Promise<Set<string>> {
    if (asked.length === 0) return new Set();
    const columns = [asked.map(({ laneId }) => laneId), asked.map(({ commandId }) => commandId)];
    const { rows } = await db.query<{ laneId: string; commandId: string }>(WITH_EARLIER, [...columns, MAIN_QUEUE]);
    return new Set(rows.map(({ laneId, commandId }) => `${laneId}/${commandId}`));
  }

  /**
   * Counts those of a tenant, or of all (null), at each call: for an operator's occasional request, not for a dashboard
   * that asks every second.
   */
  async countOpen(db: Queryable, tenant: string | null): Promise<OpenCount[]> {
    const { rows } = await db.query<OpenCount & QueryResultRow>(COUNT_OPEN, [tenant]);
    return rows;
  }

  /** Lanes of commands, open or done; unknown commands are left out. */
  async lanesOf(
    db: Queryable,
    commands: readonly Pick<NewCommand, 'tenant' | 'topic' | 'commandId'>[],
  ): Promise<LaneKey[]> {
    const { rows } = await db.query<LaneKey & QueryResultRow>(LANES_OF_COMMANDS, [
      commands.map(({ tenant }) => tenant),
      commands.map(({ topic }) => topic),
      commands.map(({ commandId }) => commandId),
    ]);
    return rows;
  }

  /** Stores progress and attempts of many commands in one statement; commands that are done stay unchanged. */
  async save(tx: Tx, changes: readonly CommandChange[]): Promise<void> {
    if (changes.length > 0) await tx.query(SAVE_COMMANDS, columnsOf(changes));
  }

  /** Moves open commands without an attempt from one lane to another, in which they keep their order of arrival. */
  async move(
    tx: Tx,
    moves: readonly { readonly id: string; readonly from: string; readonly to: string }[],
  ): Promise<void> {
    if (moves.length === 0) return;
    await tx.query(MOVE_COMMANDS, [
      moves.map(({ id }) => id),
      moves.map(({ from }) => from),
      moves.map(({ to }) => to),
    ]);
  }

  /** As `save`, in the statement of the lanes that are held, without those that were woken if `unlessWoken`. */
  besideLanes(changes: readonly CommandChange[], { unlessWoken = false } = {}): Beside {
    const condition = `AND c.lane_id IN (SELECT id FROM held${unlessWoken ? ' WHERE NOT "isWoken"' : ''})`;
    return { text: (first) => saveCommands(first, condition), values: columnsOf(changes) };
  }

  /**
   * Gives many commands their one outcome in one statement (guarantee 3). Returns the ids of the commands that had
   * none before, and whether the order of their lane is erased; the others are unchanged, and no result may be
   * published for them.
   */
  async conclude(tx: Tx, outcomes: readonly CommandOutcome[]): Promise<ReadonlyMap<string, { isErased: boolean }>> {
    if (outcomes.length === 0) return new Map();
    const { rows } = await tx.query<{ id: string; isErased: boolean }>(CONCLUDE_COMMANDS, [
      outcomes.map(({ id }) => id),
      outcomes.map(({ outcome }) => outcome),
      outcomes.map(({ resultId }) => resultId),
    ]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Contents of a lane's commands, open or done, oldest first. */
  async contents(db: Queryable, laneId: string): Promise<Buffer[]> {
    const { rows } = await db.query<{ value: Buffer }>(CONTENTS_OF_LANE, [laneId]);
    return rows.map(({ value }) => value);
  }

  /** Ids of a lane's concluded commands. */
  async doneIn(db: Queryable, laneId: string): Promise<string[]> {
    const { rows } = await db.query<{ commandId: string }>(DONE_IN_LANE, [laneId]);
    return rows.map(({ commandId }) => commandId);
  }

  /**
   * Erases the contents of a locked lane's commands, except open ones and those named in `staying`. The rows stay,
   * so that a repeat is still recognised.
   */
  async eraseContent(
    tx: Tx,
    laneId: string,
    staying: readonly string[],
  ): Promise<{ readonly erased: number; readonly open: number; readonly staying: number }> {
    const { rowCount } = await tx.query(ERASE_COMMANDS, [laneId, staying]);
    const { rows } = await tx.query<{ open: number; named: number }>(COUNT_STAYING, [laneId, staying]);
    const { open = 0, named = 0 } = rows[0] ?? {};
    return { erased: rowCount ?? 0, open, staying: named };
  }

  async #compareWithFirst<T extends NewCommand>(
    tx: Tx,
    items: readonly T[],
  ): Promise<Pick<InsertedCommands<T>, 'repeats' | 'conflicts'> & { readonly gone: readonly T[] }> {
    if (items.length === 0) return { repeats: [], conflicts: [], gone: [] };
    const { rows } = await tx.query<FirstRow>(FIRST_COMMANDS, [
      items.map(({ tenant }) => tenant),
      items.map(({ topic }) => topic),
      items.map(({ commandId }) => commandId),
    ]);
    const firsts = new Map(rows.map((row) => [uniqueKey(row), row]));
    const compared = items.flatMap((item) => {
      const row = firsts.get(uniqueKey(item));
      if (row === undefined) return [];
      const { id, outcome, resultId, contentHash } = row;
      return { item, first: { id, outcome, resultId }, same: contentHash === item.contentHash };
    });
    return {
      gone: items.filter((item) => !firsts.has(uniqueKey(item))),
      repeats: compared.filter(({ same }) => same).map(({ item, first }) => ({ item, first })),
      conflicts: compared.filter(({ same }) => !same).map(({ item, first }) => ({ item, first })),
    };
  }
}

function columnsOf(changes: readonly CommandChange[]): unknown[] {
  return [
    changes.map(({ id }) => id),
    changes.map(({ progress }) => progress),
    changes.map(({ attempt }) => attemptsAdded(attempt)),
    changes.map(({ attempt }) => (attempt?.kind === 'made' ? attempt.deadlineMs : null)),
    changes.map(({ awaits = false }) => awaits),
  ];
}

function attemptsAdded(attempt: AttemptChange | undefined): number {
  if (attempt === undefined) return 0;
  return attempt.kind === 'made' ? 1 : -1;
}

function isMain({ queue }: OpenCommand): boolean {
  return queue === MAIN_QUEUE;
}

function openCommand(row: Stored<OpenCommand>): OpenCommand {
  return {
    ...row,
    receivedAt: row.receivedAt.toISOString(),
    producedAt: row.producedAt?.toISOString() ?? null,
    firstSentAt: row.firstSentAt?.toISOString() ?? null,
    deadlineAt: row.deadlineAt?.toISOString() ?? null,
  };
}

/** Its id is the ERP's own, and erased with nothing: it names no person. */
function tracedCommand(command: OpenCommand): OpenCommand {
  if (!tracing.isOn) return command;
  const attributes = { 'gondola.command.name': command.command, 'gondola.command.id': command.commandId };
  return { ...command, traceparent: tracing.within(command.traceparent, attributes) };
}

function uniqueKey({ tenant, topic, commandId }: Pick<NewCommand, 'tenant' | 'topic' | 'commandId'>): string {
  return `${tenant}\n${topic}\n${commandId}`;
}
