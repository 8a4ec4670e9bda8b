import type { TopicName } from '@gondola/shared/topics/topics';

import type { Tx } from '@gondola/service-kit/database/database';

/** An order whose content is erased. */
export interface ErasedOrder {
  readonly tenant: string;
  readonly orderNumber: string;
}

/** What an app stores on although the order is erased. */
export interface StoredOn {
  readonly what: string;
  readonly count: number;
  /** `fiscal`: the law wants it stored; `open`: work on it is not done, and it is erased by the next request. */
  readonly why: 'fiscal' | 'open';
}

/** What one request erased: how many of what, and what stays. */
export interface ErasedContent {
  readonly erased: Readonly<Record<string, number>>;
  readonly stays: readonly StoredOn[];
}

/** What an app stores about orders beside its dead letters; provided by the app (`ErasuresModule`). */
export abstract class OrderContent {
  /** The topics that carry an order's personal data and that this app writes. */
  abstract readonly topics: readonly TopicName[];

  /** Erases it in `tx`, which it locks the order's lanes in first: what is inserted later finds the order erased. */
  abstract erase(tx: Tx, order: ErasedOrder): Promise<ErasedContent>;
}
