import type { NewNotification } from '../notifications/read-notification.ts';

/** Bodies that a process holds at most, in bytes: those of a second at full load. */
const MAX_BYTES = 32 * 1_048_576;

/** Notifications that one statement stored. */
export interface StoredGroup {
  readonly rows: readonly NewNotification[];
  /** The id of each row; null if it was stored before. */
  readonly ids: readonly (number | null)[];
  /** PostgreSQL's `xmin` of all these rows: it changes with every later change of a row. */
  readonly version: string;
}

interface Held {
  readonly first: number;
  readonly last: number;
  readonly version: string;
  readonly ids: readonly number[];
  readonly rows: (NewNotification | null)[];
  readonly bytes: number;
  left: number;
}

/**
 * Notifications that this process stored a moment ago, so that its relay need not read their bodies back. PostgreSQL
 * alone decides on which notifications are next and in which order; a row that is not here, or that changed meanwhile,
 * is read. What exceeds the bound is not taken up: the relay asks for the oldest first.
 *
 * An array of groups, not a map, as in `GroupCommit`.
 */
export class RecentNotifications {
  #groups: Held[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#groups.length === 0;
  }

  add({ rows, ids, version }: StoredGroup): void {
    const kept = rows.flatMap((row, index) => {
      const id = ids[index];
      // Content of an erased shopper is removed in the transaction that stores it, which leaves the version as it is.
      return id == null || row.topic === null || row.relatedEntity === 'User' ? [] : [{ id, row }];
    });
    const bytes = kept.reduce((sum, { row }) => sum + row.received.body.length, 0);
    const [first] = kept;
    if (first === undefined || this.#bytes + bytes > MAX_BYTES) return;
    this.#bytes += bytes;
    this.#groups.push({
      first: first.id,
      last: kept.at(-1)!.id,
      version,
      ids: kept.map(({ id }) => id),
      rows: kept.map(({ row }) => row),
      bytes,
      left: kept.length,
    });
  }

  /** Removes the row with this id and returns it; null if it is not here, or not in this version. */
  take(id: number, version: string | null): NewNotification | null {
    for (const group of this.#groups) {
      if (id < group.first || id > group.last) continue;
      const at = group.ids.indexOf(id);
      const row = group.rows[at] ?? null;
      if (row === null) continue;
      group.rows[at] = null;
      group.left -= 1;
      if (group.left === 0) this.#drop(group);
      return group.version === version ? row : null;
    }
    return null;
  }

  clear(): void {
    this.#groups = [];
    this.#bytes = 0;
  }

  #drop(group: Held): void {
    this.#groups = this.#groups.filter((other) => other !== group);
    this.#bytes -= group.bytes;
  }
}
