/** What the platform does by itself where its document leaves it open; each with a switch of the admin API (NOT-SHOWN.md). */
export interface Behaviour {
  /** 750 and 800 of one cancellation under one operation id, or under two. */
  readonly cancelOperationIds: 'one' | 'two';
  /** Between 750 and 800. */
  readonly cancellationMs: number;
  /** A cancelled or returned order is refunded: 1100, then 1200. */
  readonly refundsByItself: boolean;
}

export const DEFAULT_BEHAVIOUR: Behaviour = {
  cancelOperationIds: 'one',
  cancellationMs: 0,
  refundsByItself: false,
};
