import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';

import type { Tx } from '@gondola/service-kit/database/database';
import type { FinalOutcome } from '@gondola/shared/results/outcomes';
import type { TopicName } from '@gondola/shared/topics/topics';

import {
  COMMAND_TYPES,
  CONCLUDE_COMMANDS,
  CONTENTS_OF_LANE,
  COUNT_OPEN,
  COUNT_STAYING,
  DRAW_PLACES,
  ERASE_COMMANDS,
  FIRST_COMMANDS,
  INSERT_COMMANDS,
  LANES_OF_COMMANDS,
  NAMED_COMMANDS,
  OPEN_COMMANDS,
  OPEN_HEADS,
  OPEN_OF_LANES,
  SAVE_COMMANDS,
} from './commands.sql.ts';
import { multiRow } from '../store/multi-row.ts';
import type { LaneKey } from '../lanes/lanes.ts';
import type { Queryable } from '../store/queryable.ts';

/** The queue of commands whose definition names no other. */
export const MAIN_QUEUE = 'main';

/** A command as it arrives. `commandId` is unique per tenant and topic. */
export interface NewCommand {
  readonly laneId: string;
  readonly tenant: string;
  readonly topic: TopicName;
  readonly commandId: string;
  /** Its name, or the `op` of a catalog record. */
  readonly command: string;
  /**
   * Of its lane: commands of one queue run one at a time, queues side by side (rule 19). `main` where it says nothing.
   */
  readonly queue?: string;
  /** Equal for a repeat (`@gondola/shared/files/content-hash`). */
  readonly contentHash: string;
  /** The record's value as received; null for a tombstone. */
  readonly value: Buffer | null;
  readonly traceparent: string;
  /** When the record was written to its topic; null where nothing says so. */
  readonly producedAt?: Date | null;
  /** The load that it belongs to, under which it is counted (`load-counts.ts`). */
  readonly loadId?: string | null;
}

/** The command that came first under an id. */
export interface FirstCommand {
  readonly id: string;
  /** Null while it is open. */
  readonly outcome: FinalOutcome | null;
  /** `id` of its final result, null while there is none: `conflictsWith` of a conflicting repeat. */
  readonly resultId: string | null;
}

export interface InsertedCommands<T extends NewCommand> {
  readonly inserted: ReadonlyArray<{ readonly item: T; readonly id: string }>;
  /** The same content again. */
  readonly repeats: ReadonlyArray<{ readonly item: T; readonly first: FirstCommand }>;
  /** Other content under the id of a command that is there already. */
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
  /** RFC 3339 in UTC, by the database's clock, like the other times. */
  readonly receivedAt: string;
  /** When the record was written to its topic, by the record's own time; null where nothing says so. */
  readonly producedAt: string | null;
  /** JSON text that the app wrote, null before it did. */
  readonly progress: string | null;
  /** Calls that change something at the platform, answered or not. */
  readonly attempts: number;
  readonly firstSentAt: string | null;
  readonly deadlineAt: string | null;
  /** Until `deadlineAt`, negative once it has passed. */
  readonly deadlineInMs: number | null;
}

/** A command, open or done. */
export interface NamedCommand extends OpenCommand {
  /** Of its lane. */
  readonly identity: string;
  /** Null while it is open, like the two below. */
  readonly outcome: FinalOutcome | null;
  readonly resultId: string | null;
  readonly finishedAt: string | null;
}

interface OpenRow extends Pick<
  OpenCommand,
  'id' | 'tenant' | 'topic' | 'command' | 'queue' | 'value' | 'traceparent' | 'progress' | 'attempts'
> {
  lane_id: string;
  command_id: string;
  received_at: Date;
  produced_at: Date | null;
  first_sent_at: Date | null;
  deadline_at: Date | null;
  deadline_in_ms: number | null;
}

/** Progress of an open command, stored between two steps. */
export interface CommandChange {
  readonly id: string;
  /** JSON text; null: it stays as it is. */
  readonly progress: string | null;
  readonly attempt?: AttemptChange;
  /** It has begun to wait for references, until its first attempt. */
  readonly awaits?: boolean;
}

/**
 * An attempt is written down before its call, and taken back where the call cannot have reached the platform's queue
 * (401, 403, 429, refused connection). The deadline runs from the first one (rule 5).
 */
export type AttemptChange = { readonly kind: 'made'; readonly deadlineMs: number } | { readonly kind: 'taken-back' };

export interface CommandOutcome {
  readonly id: string;
  readonly outcome: FinalOutcome;
  /** `id` of the result that says so. */
  readonly resultId: string;
}

/** How many commands of one name are open in the lanes of one kind. */
export interface OpenCount {
  readonly tenant: string;
  readonly kind: string;
  readonly command: string;
  readonly open: number;
  /** How many of these were sent and have no outcome yet. */
  readonly sent: number;
}

interface NamedRow extends OpenRow, Pick<NamedCommand, 'identity' | 'outcome'> {
  result_id: string | null;
  finished_at: Date | null;
}

interface FirstRow extends FirstCommand, Pick<NewCommand, 'tenant' | 'topic'> {
  command_id: string;
  content_hash: string;
  result_id: string | null;
}

/**
 * The queue behind each lane. Gives: a command id is taken once, whatever arrives how often on how many replicas; an
 * outcome is given once and never changes (guarantee 3); a lane's commands run in the order of their arrival. Tested in
 * commands.int.spec.ts.
 */
@Injectable()
export class Commands {
  /**
   * Adds commands, in their order, to lanes that `Lanes.wake` has locked in this transaction, and returns which were
   * there already.
   */
  async insert<T extends NewCommand>(tx: Tx, items: readonly T[]): Promise<InsertedCommands<T>> {
    const drawn = await tx.query<{ place: string }>(DRAW_PLACES, [items.length]);
    const candidates = items.map((item, index) => ({ item, place: drawn.rows[index]!.place }));
    // Replicas that insert the same keys in different orders deadlock. The sort is stable, so of two records with one
    // id the first stays first.
    const sorted = candidates.toSorted((one, other) => compareText(uniqueKey(one.item), uniqueKey(other.item)));
    const idOfPlace = new Map<string, string>();
    for (const { tuples, values } of multiRow(sorted, COMMAND_TYPES, ({ place, item }) => rowOf(place, item))) {
      const { rows } = await tx.query<{ id: string; place: string }>(INSERT_COMMANDS.join(tuples), values);
      for (const { id, place } of rows) idOfPlace.set(place, id);
    }
    const inserted: Array<{ item: T; id: string }> = [];
    const known: T[] = [];
    for (const { item, place } of candidates) {
      const id = idOfPlace.get(place);
      if (id === undefined) known.push(item);
      else inserted.push({ item, id });
    }
    return { inserted, ...(await this.#compareWithFirst(tx, known)) };
  }

  /**
   * The commands whose turn it is: of each lane the oldest open one of each of its queues, those beside the main queue
   * first.
   */
  async heads(db: Queryable, laneIds: readonly string[]): Promise<OpenCommand[]> {
    const { rows } = await db.query<OpenRow>(OPEN_HEADS, [laneIds]);
    return rows.map(openCommand).toSorted((one, other) => Number(isMain(one)) - Number(isMain(other)));
  }

  /** The open commands of a lane, oldest first, at most `limit`, for operators. */
  async open(db: Queryable, laneId: string, limit: number): Promise<OpenCommand[]> {
    const { rows } = await db.query<OpenRow>(OPEN_COMMANDS, [laneId, limit]);
    return rows.map(openCommand);
  }

  /** The commands with these ids, open or done, oldest first, for operators. */
  async named(db: Queryable, tenant: string, topic: TopicName, commandIds: readonly string[]): Promise<NamedCommand[]> {
    if (commandIds.length === 0) return [];
    const { rows } = await db.query<NamedRow>(NAMED_COMMANDS, [tenant, topic, commandIds]);
    return rows.map((row) => ({
      ...openCommand(row),
      identity: row.identity,
      outcome: row.outcome,
      resultId: row.result_id,
      finishedAt: row.finished_at?.toISOString() ?? null,
    }));
  }

  /**
   * The open commands of lanes, each lane's oldest first: all that were sent, and at most `unsent` of those that were
   * not. For lanes whose commands need not wait for each other.
   */
  async openOf(db: Queryable, laneIds: readonly string[], unsent: number): Promise<Map<string, OpenCommand[]>> {
    const { rows } = await db.query<OpenRow>(OPEN_OF_LANES, [laneIds, unsent]);
    return Map.groupBy(rows.map(openCommand), ({ laneId }) => laneId);
  }

  /** Counted anew each time: for an operator's look, not for a dashboard's every second. */
  async countOpen(db: Queryable): Promise<OpenCount[]> {
    const { rows } = await db.query<OpenCount & QueryResultRow>(COUNT_OPEN);
    return rows;
  }

  /** The lanes of commands, open or done; commands that are not known are left out. */
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

  /** Stores progress and attempts of many commands in one statement; what is done is left as it is. */
  async save(tx: Tx, changes: readonly CommandChange[]): Promise<void> {
    if (changes.length === 0) return;
    await tx.query(SAVE_COMMANDS, [
      changes.map(({ id }) => id),
      changes.map(({ progress }) => progress),
      changes.map(({ attempt }) => attemptsAdded(attempt)),
      changes.map(({ attempt }) => (attempt?.kind === 'made' ? attempt.deadlineMs : null)),
      changes.map(({ awaits = false }) => awaits),
    ]);
  }

  /**
   * Gives many commands their one outcome in one statement (guarantee 3). Returns the ids of those that had none; for
   * the others nothing changed, and no result must be published.
   */
  async conclude(tx: Tx, outcomes: readonly CommandOutcome[]): Promise<Set<string>> {
    if (outcomes.length === 0) return new Set();
    const { rows } = await tx.query<{ id: string }>(CONCLUDE_COMMANDS, [
      outcomes.map(({ id }) => id),
      outcomes.map(({ outcome }) => outcome),
      outcomes.map(({ resultId }) => resultId),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  /** What the commands of a lane said, open or done, oldest first. */
  async contents(db: Queryable, laneId: string): Promise<Buffer[]> {
    const { rows } = await db.query<{ value: Buffer }>(CONTENTS_OF_LANE, [laneId]);
    return rows.map(({ value }) => value);
  }

  /**
   * Erases what the commands of a locked lane said, but for those that are open and those named in `staying`. That they
   * were there stays, so that a repeat is one.
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
  ): Promise<Pick<InsertedCommands<T>, 'repeats' | 'conflicts'>> {
    if (items.length === 0) return { repeats: [], conflicts: [] };
    const { rows } = await tx.query<FirstRow>(FIRST_COMMANDS, [
      items.map(({ tenant }) => tenant),
      items.map(({ topic }) => topic),
      items.map(({ commandId }) => commandId),
    ]);
    const firsts = new Map(rows.map((row) => [uniqueKey({ ...row, commandId: row.command_id }), row]));
    const compared = items.map((item) => {
      const row = firsts.get(uniqueKey(item))!;
      const first: FirstCommand = { id: row.id, outcome: row.outcome, resultId: row.result_id };
      return { item, first, same: row.content_hash === item.contentHash };
    });
    return {
      repeats: compared.filter(({ same }) => same).map(({ item, first }) => ({ item, first })),
      conflicts: compared.filter(({ same }) => !same).map(({ item, first }) => ({ item, first })),
    };
  }
}

function attemptsAdded(attempt: AttemptChange | undefined): number {
  if (attempt === undefined) return 0;
  return attempt.kind === 'made' ? 1 : -1;
}

function isMain({ queue }: OpenCommand): boolean {
  return queue === MAIN_QUEUE;
}

function rowOf(place: string, item: NewCommand): readonly unknown[] {
  const { laneId, tenant, topic, commandId, command, queue = MAIN_QUEUE, contentHash, value, traceparent } = item;
  const { producedAt = null, loadId = null } = item;
  return [place, laneId, tenant, topic, commandId, command, queue, contentHash, value, traceparent, producedAt, loadId];
}

function openCommand(row: OpenRow): OpenCommand {
  const { id, tenant, topic, command, queue, value, traceparent, progress, attempts } = row;
  return {
    id,
    laneId: row.lane_id,
    tenant,
    topic,
    commandId: row.command_id,
    command,
    queue,
    value,
    traceparent,
    receivedAt: row.received_at.toISOString(),
    producedAt: row.produced_at?.toISOString() ?? null,
    progress,
    attempts,
    firstSentAt: row.first_sent_at?.toISOString() ?? null,
    deadlineAt: row.deadline_at?.toISOString() ?? null,
    deadlineInMs: row.deadline_in_ms,
  };
}

function uniqueKey({ tenant, topic, commandId }: Pick<NewCommand, 'tenant' | 'topic' | 'commandId'>): string {
  return `${tenant}\n${topic}\n${commandId}`;
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
