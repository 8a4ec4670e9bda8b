import { multiRow } from '@gondola/messaging/store/multi-row';
import type { Database, Tx } from '@gondola/service-kit/database/database';
import { parseBytes } from '@gondola/shared/json/json-digits';
import type { FailureStore, LaneFailures, NewFailure } from '../application/file-stores.ts';
import type { PlatformFailure } from '../domain/platform-failure.ts';
import { FileOperationEntity } from './file-operation.entity.ts';

const TYPES = ['text', 'text', 'text', 'text', 'text', 'text', 'bytea'] as const;

const LANE_IDS_OF = `
  SELECT DISTINCT o.lane_id FROM unnest($1::text[], $2::text[]) AS f (tenant, operation_id)
  JOIN file_operations AS o ON (o.tenant, o.operation_id) = (f.tenant, f.operation_id)`;

/** Those of the command's operations, and those about its entity. */
const OF_COMMAND = `
  SELECT f.id, f.operation_id, f.event_type, f.error, f.received_at,
    EXISTS (SELECT 1 FROM file_operations AS o
      WHERE o.tenant = f.tenant AND o.operation_id = f.operation_id AND o.command_row_id <> $5) AS of_another
  FROM platform_failures AS f
  WHERE f.tenant = $1 AND (f.operation_id = ANY ($2::text[]) OR (f.lane_kind = $3 AND f.lane_identity = $4))
  ORDER BY f.id`;

interface FailureRow {
  id: string;
  operation_id: string | null;
  event_type: string;
  error: Buffer | null;
  received_at: Date;
  of_another: boolean;
}

/** The tables `platform_failures` and `file_operations`. */
export class FailuresRepository implements FailureStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(tx: Tx, failures: readonly NewFailure[]): Promise<void> {
    // Replicas that insert the same keys in different orders deadlock.
    const sorted = failures.toSorted((one, other) => (one.dedupKey < other.dedupKey ? -1 : 1));
    for (const { tuples, values } of multiRow(sorted, TYPES, rowOf)) {
      await tx.query(
        `INSERT INTO platform_failures
           (dedup_key, tenant, operation_id, event_type, lane_kind, lane_identity, error) VALUES ${tuples}
         ON CONFLICT (dedup_key) DO NOTHING`,
        values,
      );
    }
  }

  async laneIdsOf(tx: Tx, failures: readonly NewFailure[]): Promise<string[]> {
    const { rows } = await tx.query<{ lane_id: string }>(LANE_IDS_OF, [
      failures.map(({ tenant }) => tenant),
      failures.map(({ operationId }) => operationId),
    ]);
    return rows.map(({ lane_id: id }) => id);
  }

  async ofCommand(about: {
    readonly tenant: string;
    readonly lane: { readonly kind: string; readonly identity: string };
    readonly commandRowId: string;
    readonly operationIds: readonly string[];
  }): Promise<LaneFailures> {
    const { tenant, lane, commandRowId, operationIds } = about;
    // Asked first: what is stored in between is newer than this says, and so counts as an answer to a sending of now.
    const newest = await this.#database.query<{ id: string }>(
      `SELECT COALESCE(max(id), 0)::text AS id FROM platform_failures`,
    );
    const { rows } = await this.#database.query<FailureRow>(OF_COMMAND, [
      tenant,
      operationIds,
      lane.kind,
      lane.identity,
      commandRowId,
    ]);
    return { failures: rows.map(failureOf), newestId: newest.rows[0]?.id ?? '0' };
  }

  async rememberOperations(
    tx: Tx,
    { tenant, laneId, commandRowId }: { tenant: string; laneId: string; commandRowId: string },
    operationIds: readonly string[],
  ): Promise<void> {
    if (operationIds.length === 0) return;
    await this.#database
      .repository(FileOperationEntity, tx)
      .createQueryBuilder()
      .insert()
      .values(operationIds.toSorted().map((operationId) => ({ tenant, operationId, commandRowId, laneId })))
      .orIgnore()
      .updateEntity(false)
      .execute();
  }
}

function rowOf({ dedupKey, tenant, operationId, eventType, about, error }: NewFailure): readonly unknown[] {
  // node-pg takes Buffers for `bytea`; a plain Uint8Array it would write as an object.
  const bytes = error === null ? null : Buffer.from(error.buffer, error.byteOffset, error.byteLength);
  return [dedupKey, tenant, operationId, eventType, about?.kind ?? null, about?.identity ?? null, bytes];
}

function failureOf(row: FailureRow): PlatformFailure {
  return {
    id: row.id,
    operationId: row.operation_id,
    eventType: row.event_type,
    error: parseBytes(row.error) ?? null,
    receivedAtMs: row.received_at.getTime(),
    isOfAnother: row.of_another,
  };
}
