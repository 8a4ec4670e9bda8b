import type { Client as DatabaseClient } from 'pg';
import type { PlacedOrder } from './errands.ts';
import type { Call } from './ledger.ts';
import { sha256Of, type Arrival } from './moody-receiver.ts';

/** Everything that a run left behind, for the checks. */
export interface Evidence {
  /** As the client recorded them. */
  readonly calls: readonly Call[];
  readonly placed: readonly PlacedOrder[];
  /** In the order in which the core took them. */
  readonly operations: readonly OperationRow[];
  readonly deliveries: readonly DeliveryRow[];
  readonly attempts: readonly AttemptRow[];
  /** As the receiver recorded them. */
  readonly arrivals: readonly Arrival[];
  /** Digests of the bodies in the admin API's dead letters. */
  readonly deadLetters: readonly string[];
  /** As the shop shows them, by reference. */
  readonly products: ReadonlyMap<string, ProductView>;
  readonly orders: ReadonlyMap<number, OrderView>;
  /** Number of strikes of each kind of fault. */
  readonly strikes: Readonly<Record<string, number>>;
}

export interface OperationRow {
  readonly operationId: string;
  readonly kind: string;
  readonly payload: string;
  readonly directive: { readonly silent?: boolean; readonly refuseStatus?: number };
  readonly state: string;
}

export interface DeliveryRow {
  readonly id: string;
  readonly operationId: string;
  readonly eventType: string;
  readonly body: Buffer;
  readonly sha256: string;
  /** Start time of the transaction that wrote it; copies of one notification belong to one transaction. */
  readonly writtenAt: string;
  readonly state: string;
  readonly attempts: number;
}

export interface AttemptRow {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly answer: number | null;
}

export interface ProductView {
  readonly readModel: Readonly<Record<string, unknown>> & {
    readonly skus: readonly Readonly<Record<string, unknown>>[];
  };
}

export interface OrderView {
  readonly number: number;
  readonly status: number;
  readonly statusHistory: readonly { readonly status: number }[];
  readonly items: readonly { readonly skuExternalReference: string; readonly total: number }[];
  readonly totals: { readonly total: number };
  readonly invoice: { readonly number: string; readonly value: number } | null;
  readonly invoiceFile: { readonly uploads: number } | null;
}

/** Records of the core and of the sender. */
export async function recordsOf(
  database: DatabaseClient,
): Promise<Pick<Evidence, 'operations' | 'deliveries' | 'attempts'>> {
  const operations = await database.query<OperationRow>(
    // The core takes operations one after the other, each in a transaction, so transaction ids rise independently
    // of the clock.
    `SELECT operation_id AS "operationId", kind, payload, directive, state FROM operations ORDER BY xmin::text::bigint, seq`,
  );
  const deliveries = await database.query<Omit<DeliveryRow, 'sha256'>>(
    `SELECT id, operation_id AS "operationId", event_type AS "eventType", body, state, attempts, created_at::text AS "writtenAt" FROM deliveries ORDER BY id`,
  );
  const attempts = await database.query<AttemptRow>(
    `SELECT delivery_id AS "deliveryId", attempt, answer FROM delivery_attempts ORDER BY delivery_id, attempt`,
  );
  return {
    operations: operations.rows,
    deliveries: deliveries.rows.map((row) => ({ ...row, sha256: sha256Of(row.body) })),
    attempts: attempts.rows,
  };
}
