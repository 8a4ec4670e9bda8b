import type { RelayRow, RelayStep } from './relay-source.ts';

/** Rows that one statement stored. */
export interface StoredRows<T> {
  readonly rows: readonly { readonly id: number; readonly bytes: number; readonly content: T }[];
  /** PostgreSQL's `xmin` of all these rows: it changes with every later change of a row. */
  readonly version: string;
}

/** A row that waits to be sent, without its content. */
export interface ListedRow {
  readonly id: string;
  readonly bytes: number;
  /** Null if the row has to be read. */
  readonly version: string | null;
}

interface Held<T> {
  readonly first: number;
  readonly last: number;
  readonly version: string;
  readonly ids: readonly number[];
  readonly contents: (T | null)[];
  readonly bytes: number;
  left: number;
}

/**
 * Rows that this process stored a moment ago, so that its relay need not read their contents back. PostgreSQL alone
 * decides on which rows are next and in which order; a row that is not here, or that changed meanwhile, is read. What
 * exceeds the bound is not taken up: the relay asks for the oldest first.
 *
 * An array of groups, not a map, as in `GroupCommit` of webhook-ingest.
 */
export class RecentRows<T> {
  #groups: Held<T>[] = [];
  #bytes = 0;
  readonly #mostBytes: number;

  /** @param mostBytes bytes that a process holds at most */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get isEmpty(): boolean {
    return this.#groups.length === 0;
  }

  /** Adds rows with rising ids. */
  add({ rows, version }: StoredRows<T>): void {
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    const [first] = rows;
    if (first === undefined || this.#bytes + bytes > this.#mostBytes) return;
    this.#bytes += bytes;
    this.#groups.push({
      first: first.id,
      last: rows.at(-1)!.id,
      version,
      ids: rows.map(({ id }) => id),
      contents: rows.map(({ content }) => content),
      bytes,
      left: rows.length,
    });
  }

  /** Removes the row with this id and returns its content; null if it is not here, or not in this version. */
  take(id: number, version: string | null): T | null {
    for (const group of this.#groups) {
      if (id < group.first || id > group.last) continue;
      const at = group.ids.indexOf(id);
      const content = group.contents[at] ?? null;
      if (content === null) continue;
      group.contents[at] = null;
      group.left -= 1;
      if (group.left === 0) this.#drop(group);
      return group.version === version ? content : null;
    }
    return null;
  }

  clear(): void {
    this.#groups = [];
    this.#bytes = 0;
  }

  /**
   * The rows of a step that are listed in their order, up to its size: from here, else by `read`, whose rows may be in
   * any order.
   */
  async next(
    listed: readonly ListedRow[],
    { limit }: RelayStep,
    rowOf: (id: string, content: T) => RelayRow,
    read: (ids: readonly string[]) => Promise<readonly RelayRow[]>,
  ): Promise<RelayRow[]> {
    // Nothing waits: what is left in memory was published by another process.
    if (listed.length === 0) this.clear();
    const found = new Map<string, RelayRow>();
    const missing: string[] = [];
    let bytes = 0;
    for (const each of listed) {
      bytes += each.bytes;
      if (bytes > limit.bytes && found.size + missing.length > 0) break;
      const content = this.take(Number(each.id), each.version);
      if (content === null) missing.push(each.id);
      else found.set(each.id, rowOf(each.id, content));
    }
    if (missing.length === 0) return [...found.values()];
    for (const row of await read(missing)) found.set(row.id, row);
    return listed.flatMap(({ id }) => found.get(id) ?? []);
  }

  #drop(group: Held<T>): void {
    this.#groups = this.#groups.filter((other) => other !== group);
    this.#bytes -= group.bytes;
  }
}
