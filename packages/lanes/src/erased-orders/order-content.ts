import type { TopicName } from '@gondola/shared/topics/topics';

import type { Tx } from '@gondola/service-kit/database/database';

export interface ErasedOrder {
  readonly tenant: string;
  readonly orderNumber: string;
}

/** Content that an app continues to store although the order is erased. */
export interface StoredOn {
  readonly what: string;
  readonly count: number;
  /**
   * `fiscal`: the law requires it to be stored; `open`: it belongs to unfinished work, and a later request erases
   * it.
   */
  readonly why: 'fiscal' | 'open';
}

/** Erased rows by kind, and the content that stays. */
export interface ErasedContent {
  readonly erased: Readonly<Record<string, number>>;
  readonly stays: readonly StoredOn[];
}

/** Content that an app stores about orders besides its dead letters; provided by the app (`ErasuresModule`). */
export abstract class OrderContent {
  /** Topics with an order's personal data that this app writes. */
  abstract readonly topics: readonly TopicName[];

  /** The value of a record about an erased order that waits to be published, without personal data; null: unchanged. */
  withoutPeople(_topic: TopicName, _value: Uint8Array): Buffer | null {
    return null;
  }

  /** Erases the content in `tx`, and locks the order's lanes first: a later insert then finds the order erased. */
  abstract erase(tx: Tx, order: ErasedOrder): Promise<ErasedContent>;
}
