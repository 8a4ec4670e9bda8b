import { Injectable } from '@nestjs/common';

import { Database } from '@gondola/service-kit/database/database';
import type { TopicName } from '@gondola/shared/topics/topics';

import type { Queryable } from '../store/queryable.ts';

/** A partition of a replay: offsets `from` to before `end` at its start, and the `next` one to look at. */
export interface ReplayPlace {
  readonly partition: number;
  readonly from: string;
  readonly next: string;
  readonly end: string;
}

/** The fates of a replay's records. */
export const REPLAY_COUNTS = ['sent', 'erased', 'superseded', 'refused'] as const;
export type ReplayCounts = Readonly<Record<(typeof REPLAY_COUNTS)[number], number>>;

/** How far a replay is. */
export interface ReplayProgress extends ReplayCounts {
  readonly places: readonly ReplayPlace[];
  /** RFC 3339; what was published before it may be missing, since Kafka has deleted it. Null: nothing is. */
  readonly missingBefore: string | null;
}

export interface NewReplay {
  readonly topic: TopicName;
  /** Topic that gets the records, without its prefix; it need not be Gondola's. */
  readonly target: string;
  readonly tenant: string | null;
  readonly orderNumber: string | null;
  readonly since: Date;
  readonly perSecond: number;
  readonly requestedBy: string | null;
  readonly progress: ReplayProgress;
}

export interface Replay extends NewReplay {
  readonly id: string;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly isStopped: boolean;
  readonly problem: string | null;
}

/** A replay that this process works on for the length of a lease. */
export interface ClaimedReplay extends Replay {
  readonly epoch: number;
}

/** Another process goes on with the replay. */
export class ReplayTakenError extends Error {}

/** The replay cannot run beside those that run; the message is a sentence for operators. */
export class ReplayRefusedError extends Error {}

const MOST_RUNNING = 10;
const LEASE = "interval '30 seconds'";
const RUNNING = 'finished_at IS NULL AND NOT is_stopped';
const SHOWN = `
  id, topic, target, tenant, order_number AS "orderNumber", since, per_second AS "perSecond", progress, problem,
  requested_by AS "requestedBy", started_at AS "startedAt", finished_at AS "finishedAt", is_stopped AS "isStopped"`;

type Row<T> = T & { [column: string]: unknown };

/** The table `replays`. Tested in run-replays.int.spec.ts. */
@Injectable()
export class Replays {
  constructor(private readonly database: Database) {}

  /** Begins a replay, or returns the one of the same records that runs. Those that ended 30 days ago go with it. */
  async begin({ topic, target, tenant, orderNumber, ...asked }: NewReplay): Promise<Replay> {
    await this.database.query(`DELETE FROM replays WHERE NOT (${RUNNING}) AND due_at < now() - interval '30 days'`);
    const of = [topic, target, tenant, orderNumber];
    const begun = await this.database.query<Row<Replay>>(
      `INSERT INTO replays (topic, target, tenant, order_number, since, per_second, requested_by, progress)
       SELECT $1::text, $2::text, $3::text, $4::text, $5::timestamptz, $6::integer, $7::text, $8::json
       WHERE (SELECT count(*) FROM replays WHERE ${RUNNING}) < ${MOST_RUNNING}
       ON CONFLICT DO NOTHING RETURNING ${SHOWN}`,
      [...of, asked.since, asked.perSecond, asked.requestedBy, JSON.stringify(asked.progress)],
    );
    const running = await this.database.query<Row<Replay>>(
      `SELECT ${SHOWN} FROM replays WHERE topic = $1 AND target = $2 AND tenant IS NOT DISTINCT FROM $3
         AND order_number IS NOT DISTINCT FROM $4 AND ${RUNNING}`,
      of,
    );
    const [replay] = [...begun.rows, ...running.rows];
    if (replay === undefined) throw new ReplayRefusedError(`${MOST_RUNNING} replays run already: stop one, or wait`);
    return replay;
  }

  /** Replays with an id below `before`, newest first. */
  async list(tenant: string | null, before: string, limit: number): Promise<Replay[]> {
    const { rows } = await this.database.query<Row<Replay>>(
      `SELECT ${SHOWN} FROM replays WHERE id < $1 AND ($3::text IS NULL OR tenant = $3) ORDER BY id DESC LIMIT $2`,
      [before, limit, tenant],
    );
    return rows;
  }

  async find(id: string): Promise<Replay | null> {
    const { rows } = await this.database.query<Row<Replay>>(`SELECT ${SHOWN} FROM replays WHERE id = $1`, [id]);
    return rows[0] ?? null;
  }

  /** Stops a replay after the records that are being sent, or lets it go on; does nothing to one that is finished. */
  async setStopped(id: string, isStopped: boolean): Promise<void> {
    const text = 'UPDATE replays SET is_stopped = $2 WHERE id = $1 AND finished_at IS NULL';
    await this.database.query(text, [id, isStopped]).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== '23505') throw error;
      throw new ReplayRefusedError('Another replay of the same records runs: stop it, or wait until it has ended');
    });
  }

  /** Takes the replay that has been due longest, without those whose turn it was; null if none is. */
  async claim(without: readonly string[] = []): Promise<ClaimedReplay | null> {
    const { rows } = await this.database.query<Row<ClaimedReplay>>(
      `UPDATE replays SET due_at = now() + ${LEASE}, epoch = epoch + 1
       WHERE id = (SELECT id FROM replays WHERE ${RUNNING} AND due_at <= now() AND id <> ALL ($1::bigint[])
         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING ${SHOWN}, epoch`,
      [without],
    );
    return rows[0] ?? null;
  }

  /** Stores how far the replay is. Throws `ReplayTakenError` if it is no longer this process's. */
  async advance(db: Queryable, { id, epoch }: ClaimedReplay, progress: ReplayProgress): Promise<void> {
    const { rowCount } = await db.query(
      `UPDATE replays SET progress = $3, due_at = clock_timestamp() + ${LEASE}
       WHERE id = $1 AND epoch = $2 AND finished_at IS NULL`,
      [id, epoch, JSON.stringify(progress)],
    );
    if (rowCount === 0) throw new ReplayTakenError('Another process goes on with the replay');
  }

  /** The replay is due again after a time, after a failure with its code, or is finished. */
  async release({ id, epoch }: ClaimedReplay, inMs: number | null, problem: string | null = null): Promise<void> {
    await this.database.query(
      `UPDATE replays SET due_at = now() + coalesce($3::float8, 0) * interval '1 millisecond', problem = $4,
         finished_at = CASE WHEN $3::float8 IS NULL THEN now() END
       WHERE id = $1 AND epoch = $2 AND finished_at IS NULL`,
      [id, epoch, inMs, problem],
    );
  }
}
