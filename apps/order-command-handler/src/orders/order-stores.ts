import type { Tx } from '@gondola/service-kit/database/database';
import type { ReadResult } from '@gondola/shared/results/read-result';
import type { SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import type { CancellationWatch } from './cancellation-watch.ts';
import type { UnconfirmedCommand } from '../commands/corrections.ts';
import type { KnownSku } from '../skus/match-skus.ts';
import type { FactSource, OrderFact } from '../notifications/order-fact.ts';
import type { NewFact } from '../notifications/read-notification.ts';
import type { Told } from './published-state.ts';

/** What the use cases need of the database, beside messaging's own tables. `outbound/` has the SQL. */

/** A fact with the lane of its order. */
export interface StorableFact extends NewFact {
  readonly laneId: string;
}

/** A fact without the content of its `data`, and of its error only what names no person. */
export interface FactSummary {
  readonly source: FactSource;
  readonly eventType: string;
  readonly operationId: string | null;
  readonly status: number | null;
  readonly updatedAt: string | null;
  readonly receivedAt: string;
  readonly error: { readonly statusCode: number | null; readonly title: string | null } | null;
}

export interface FactStore {
  /** Adds facts whose lanes `tx` has locked; those that are known already are left alone. Returns how many were new. */
  insert(tx: Tx, facts: readonly StorableFact[]): Promise<number>;
  /** Every fact of the lanes, by lane id. */
  ofLanes(laneIds: readonly string[]): Promise<ReadonlyMap<string, readonly OrderFact[]>>;
  /** The bytes of `data`, by fact id. */
  dataOf(factIds: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /** A lane's facts for operators, oldest first. */
  summariesOf(laneId: string): Promise<readonly FactSummary[]>;
  /** Whether a fact came after the one with the id `seen`; with the lane locked, the answer holds until `tx` ends. */
  hasNewer(tx: Tx, laneId: string, seen: string): Promise<boolean>;
}

/** An order's row. */
export interface OrderRow {
  readonly laneId: string;
  readonly tenant: string;
  readonly orderNumber: string;
  readonly orderId: string | null;
  readonly status: number | null;
  readonly told: Told;
  /** Commands whose late outcome would be a correction. */
  readonly unconfirmed: readonly UnconfirmedCommand[];
  /** Readings of the status while the order stays in 750; null for none. */
  readonly watch: CancellationWatch | null;
}

/** How many rows the app's own tables have, for operators. */
export interface OrderCounts {
  readonly facts: number;
  readonly skus: number;
  readonly orders: number;
  /** Of these, told to the ERP. */
  readonly created: number;
  readonly byStatus: ReadonlyArray<{ readonly status: number | null; readonly orders: number }>;
}

export interface OrderStore {
  /** The rows there are, by lane id. */
  ofLanes(laneIds: readonly string[]): Promise<ReadonlyMap<string, OrderRow>>;
  counts(): Promise<OrderCounts>;
  /** Writes rows of lanes that `tx` has locked. */
  save(tx: Tx, rows: readonly OrderRow[]): Promise<void>;
}

/** A version of a SKU's snapshot under its key; null once it is gone. */
export interface SkuChange {
  readonly key: string;
  readonly snapshot: SkuSnapshot | null;
}

/** What SKUs are looked up by; each that fits one of these is found. */
export interface SkuQuery {
  readonly skuIds: readonly string[];
  readonly references: readonly string[];
  readonly skuExternalReferences: readonly string[];
}

export interface SkuStore {
  /** Keeps the newest of each key, the changes being in the order of their records. */
  save(tx: Tx, changes: readonly SkuChange[]): Promise<void>;
  find(tenant: string, query: SkuQuery): Promise<readonly KnownSku[]>;
}

/** A result of the file gateway about the PDF of a command. */
export interface NewPdfResult {
  readonly tenant: string;
  /** The record's `ce_id`. */
  readonly resultId: string;
  readonly parentCommandId: string;
  readonly value: Uint8Array;
}

export interface PdfResultStore {
  insert(tx: Tx, results: readonly NewPdfResult[]): Promise<void>;
  /** The results of each parent command, oldest first. */
  ofCommands(tenant: string, parentCommandIds: readonly string[]): Promise<ReadonlyMap<string, readonly ReadResult[]>>;
}
