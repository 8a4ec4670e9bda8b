import type { NewCommand } from '@gondola/lanes/commands/new-command';
import type { TakenCommands } from '@gondola/lanes/commands/command-intake';
import { type LoadKey, LoadCounts } from '@gondola/lanes/commands/load-counts';
import { deleteInSteps } from '@gondola/lanes/store/delete-in-steps';
import type { Queryable } from '@gondola/lanes/store/queryable';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { CountedLoad, Load } from './load-progress.ts';

/** A load that starts before its records: a file or a resend. */
export type NewLoad = Pick<Load, 'tenant' | 'loadId' | 'source' | 'recordKind' | 'digest' | 'expected'>;

const COLUMNS = `id, tenant, load_id AS "loadId", source, started_at AS "startedAt", record_kind AS "recordKind", digest,
  expected, taken, repeated, unreadable`;

/** $1 tenants, $2 loads; in their order, with the figures that are stored outside their rows. */
const WITH_FIGURES = `
  SELECT ${COLUMNS},
    (SELECT count(*) FROM load_conflicts AS c WHERE c.tenant = loads.tenant AND c.load_id = loads.load_id)::float8 AS conflicts,
    (SELECT count(*) FROM resend_items AS i WHERE i.tenant = loads.tenant AND i.load_id = loads.load_id)::float8 AS unqueued
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k (tenant, load_id, place) JOIN loads USING (tenant, load_id)
  ORDER BY k.place`;

const LOADS_AT_ONCE = 1_000;

/** Figures of a load that are stored outside its row. */
const OF_LOAD = ['load_conflicts', 'resend_items'] as const;

type LoadRow = Load & { [column: string]: unknown };

/** The tables `loads` and `load_conflicts`. */
@Injectable()
export class LoadsRepository {
  constructor(
    private readonly database: Database,
    private readonly counts: LoadCounts,
  ) {}

  /**
   * Stores the loads of received records, in the transaction of their commands. Returns the number of new conflicts;
   * the others are repeats in the same load.
   */
  async note(tx: Tx, { inserted, conflicts }: TakenCommands): Promise<number> {
    const named = [...inserted, ...conflicts].flatMap(({ item }) => loadOf(item) ?? []);
    if (named.length === 0) return 0;
    await this.#noteNames(tx, named);
    const unlike = conflicts.flatMap(({ item }) => {
      const load = loadOf(item);
      return load === null ? [] : [{ ...item, ...load }];
    });
    if (unlike.length === 0) return 0;
    const { rowCount } = await tx.query(
      `INSERT INTO load_conflicts (tenant, load_id, topic, command_id, content_hash)
       SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
         AS unlike (tenant, load_id, topic, command_id, content_hash)
       ORDER BY 1, 2, 3, 4, 5 ON CONFLICT DO NOTHING`,
      [
        unlike.map(({ tenant }) => tenant),
        unlike.map(({ loadId }) => loadId),
        unlike.map(({ topic }) => topic),
        unlike.map(({ commandId }) => commandId),
        unlike.map(({ contentHash }) => contentHash),
      ],
    );
    return rowCount ?? 0;
  }

  /** Locks existing loads until `tx` ends; creates a load again that is being deleted. */
  async #noteNames(tx: Tx, named: readonly LoadKey[]): Promise<void> {
    const keys = [named.map(({ tenant }) => tenant), named.map(({ loadId }) => loadId)];
    for (let missing = true; missing;) {
      await tx.query(
        `INSERT INTO loads (tenant, load_id, source)
         SELECT DISTINCT tenant, load_id, 'topic' FROM unnest($1::text[], $2::text[]) AS named (tenant, load_id)
         ORDER BY tenant, load_id ON CONFLICT DO NOTHING`,
        keys,
      );
      const { rowCount } = await tx.query(
        `SELECT 1 FROM loads WHERE (tenant, load_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))
         ORDER BY tenant, load_id FOR KEY SHARE`,
        keys,
      );
      missing = rowCount !== new Set(named.map(({ tenant, loadId }) => `${tenant}\n${loadId}`)).size;
    }
  }

  /** Creates a load unless its name is taken. */
  async begin(db: Queryable, { tenant, loadId, source, recordKind, digest, expected }: NewLoad): Promise<boolean> {
    const { rowCount } = await db.query(
      `INSERT INTO loads (tenant, load_id, source, record_kind, digest, expected)
       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
      [tenant, loadId, source, recordKind, digest, expected],
    );
    return rowCount === 1;
  }

  /** Lets one transaction at a time begin a load of a tenant's files, until `tx` ends. */
  async lockFiles(tx: Tx, tenant: string): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended(current_schema || '.loads ' || $1, 0))`, [tenant]);
  }

  /** The newest load of a file of the kind that has records, or none yet and is of this file. */
  async latestOf(
    tx: Tx,
    { tenant, recordKind, digest, expected }: Pick<NewLoad, 'tenant' | 'recordKind' | 'digest' | 'expected'>,
  ): Promise<Load | null> {
    const { rows } = await tx.query<LoadRow>(
      `SELECT ${COLUMNS} FROM loads
       WHERE tenant = $1 AND source = 'file' AND record_kind = $2 AND (taken > 0 OR (digest = $3 AND expected = $4))
       ORDER BY id DESC LIMIT 1`,
      [tenant, recordKind, digest, expected],
    );
    return rows[0] ?? null;
  }

  async find(db: Queryable, { tenant, loadId }: LoadKey): Promise<Load | null> {
    const { rows } = await db.query<LoadRow>(`SELECT ${COLUMNS} FROM loads WHERE tenant = $1 AND load_id = $2`, [
      tenant,
      loadId,
    ]);
    return rows[0] ?? null;
  }

  /** The load, locked until `tx` ends, so that its parts are taken one after the other. */
  async lock(tx: Tx, { tenant, loadId }: LoadKey): Promise<Load | null> {
    const { rows } = await tx.query<LoadRow>(
      `SELECT ${COLUMNS} FROM loads WHERE tenant = $1 AND load_id = $2 FOR NO KEY UPDATE`,
      [tenant, loadId],
    );
    return rows[0] ?? null;
  }

  /** Advances a locked load after a part of its file was taken. */
  async advance(tx: Tx, id: string, part: Pick<Load, 'taken' | 'repeated' | 'unreadable'>): Promise<void> {
    await tx.query(
      `UPDATE loads SET taken = taken + $2, repeated = repeated + $3, unreadable = unreadable + $4 WHERE id = $1`,
      [id, part.taken, part.repeated, part.unreadable],
    );
  }

  /** Newest first. */
  async list(tenant: string | null, before: string, limit: number): Promise<Load[]> {
    const { rows } = await this.database.query<LoadRow>(
      `SELECT ${COLUMNS} FROM loads WHERE id < $2 AND ($1::text IS NULL OR tenant = $1) ORDER BY id DESC LIMIT $3`,
      [tenant, before, limit],
    );
    return rows;
  }

  /** Number of entities of each load that are not queued yet, in the order of the loads. */
  async unqueued(db: Queryable, loads: readonly LoadKey[]): Promise<number[]> {
    const { rows } = await db.query<{ items: number }>(
      `SELECT (SELECT count(*) FROM resend_items AS i WHERE i.tenant = k.tenant AND i.load_id = k.load_id)::float8 AS items
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS k (tenant, load_id, place) ORDER BY k.place`,
      [loads.map(({ tenant }) => tenant), loads.map(({ loadId }) => loadId)],
    );
    return rows.map(({ items }) => items);
  }

  /** Loads with all their counts, from one state of the database, by one connection, without those that are gone. */
  async counted(keys: readonly LoadKey[]): Promise<CountedLoad[]> {
    if (keys.length === 0) return [];
    return this.database.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const { rows } = await tx.query<LoadRow & Pick<CountedLoad, 'conflicts' | 'unqueued'>>(WITH_FIGURES, [
        keys.map(({ tenant }) => tenant),
        keys.map(({ loadId }) => loadId),
      ]);
      const commands = await this.counts.count(tx, rows);
      return rows.map(({ conflicts, unqueued, ...load }, index) => {
        return { load, commands: commands[index]!, conflicts, unqueued };
      });
    });
  }

  /** A page of the loads that started before a time, oldest first. */
  async begunBefore(time: Date, afterId: string): Promise<Load[]> {
    const { rows } = await this.database.query<LoadRow>(
      `SELECT ${COLUMNS} FROM loads WHERE started_at < $1 AND id > $2 ORDER BY id LIMIT ${LOADS_AT_ONCE}`,
      [time, afterId],
    );
    return rows;
  }

  /** Deletes a finished load with all its rows, unless a record has joined it meanwhile. */
  async delete({ id, tenant, loadId }: Load, before: Date): Promise<void> {
    const own = [tenant, loadId];
    for (const table of OF_LOAD) await deleteInSteps(this.database, table, 'tenant = $1 AND load_id = $2', own);
    await this.database.transaction(async (tx) => {
      // The next statement sees records from before this lock; later ones wait and create the load again.
      await tx.query('SELECT 1 FROM loads WHERE id = $1 FOR UPDATE', [id]);
      const [goesOn] = await this.counts.goOn(tx, [{ tenant, loadId }], before);
      if (goesOn) return;
      await tx.query('DELETE FROM loads WHERE id = $1', [id]);
      for (const table of OF_LOAD) await tx.query(`DELETE FROM ${table} WHERE tenant = $1 AND load_id = $2`, own);
    });
  }
}

function loadOf({ tenant, loadId = null }: NewCommand): LoadKey | null {
  return loadId === null ? null : { tenant, loadId };
}
