import type { Tx } from '@gondola/service-kit/database/database';

/** Actions on many rows at once. */
export const BULK_ACTIONS = ['redrive', 'reprocess', 'discard'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Rows that an operator selects; an absent field matches everything. */
export interface BulkFilter {
  readonly tenant?: string;
  readonly reason?: string;
  readonly topic?: string;
  /** RFC 3339; the row came at or after it. */
  readonly from?: string;
  /** RFC 3339; the row came before it. */
  readonly to?: string;
}

/**
 * Runs in the transaction that changes a row, `isDone`: whether it was changed. If it throws, the row must stay as it
 * is.
 */
export type Alongside = (tx: Tx, isDone: boolean) => Promise<void>;

/** The rows of an app that wait for an operator: dead letters, or the quarantine. */
export abstract class BulkTarget {
  abstract readonly actions: readonly BulkAction[];

  /** Number of waiting rows that match; `atMost` means that many or more. */
  abstract count(filter: BulkFilter, atMost: number): Promise<number>;

  /** Places of matching rows after a place (`''`: from the first one), in the order in which they are to be changed. */
  abstract places(filter: BulkFilter, after: string, limit: number): Promise<string[]>;

  /**
   * Changes the row at a place in a transaction of its own, with `alongside` in it. Does nothing for a row that
   * waits no longer.
   */
  abstract change(place: string, action: BulkAction, note: string, alongside: Alongside): Promise<void>;
}
