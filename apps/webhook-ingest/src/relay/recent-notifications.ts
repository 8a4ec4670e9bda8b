import type { RecentRows, StoredRows } from '@gondola/lanes/outbox/recent-rows';
import type { NewNotification } from '../notifications/read-notification.ts';

/** Bodies that a process holds at most, in bytes: those of a second at full load. */
export const MOST_RECENT_BYTES = 32 * 1_048_576;

/** Notifications that this process stored a moment ago. */
export type RecentNotifications = RecentRows<NewNotification>;

/** Notifications that one statement stored. */
export interface StoredGroup {
  readonly rows: readonly NewNotification[];
  /** The id of each row; null if it was stored before. */
  readonly ids: readonly (number | null)[];
  /** PostgreSQL's `xmin` of all these rows. */
  readonly version: string;
}

/** Those of a group that wait for the relay, except those about shoppers. */
export function waitingRows({ rows, ids, version }: StoredGroup): StoredRows<NewNotification> {
  const waiting = rows.flatMap((row, index) => {
    const id = ids[index];
    // Content of an erased shopper is removed in the transaction that stores it, which leaves the version as it is.
    if (id == null || row.topic === null || row.relatedEntity === 'User') return [];
    return { id, bytes: row.received.body.length, content: row };
  });
  return { rows: waiting, version };
}
