import { Journal, type Entry } from './journal.adapter.ts';

export type Key = string | number;

/** Told of every change of a row, also of one that is undone or read from the disk. */
export type Watcher<K extends Key, Row> = (key: K, after: Row | undefined, before: Row | undefined) => void;

/**
 * Rows by their key. A row is plain JSON that nothing changes in place; what has to keep its digits is text. Rows are
 * changed only inside `Store.unit`.
 */
export class Table<K extends Key, Row> {
  private readonly rows = new Map<K, Row>();
  private readonly watchers: Watcher<K, Row>[] = [];

  constructor(
    readonly name: string,
    private readonly record: (table: Table<Key, unknown>, key: Key, before: unknown) => void,
  ) {}

  get size(): number {
    return this.rows.size;
  }

  get(key: K): Row | undefined {
    return this.rows.get(key);
  }

  has(key: K): boolean {
    return this.rows.has(key);
  }

  keys(): MapIterator<K> {
    return this.rows.keys();
  }

  values(): MapIterator<Row> {
    return this.rows.values();
  }

  put(key: K, row: Row): void {
    this.record(this as never, key, this.rows.get(key));
    this.set(key, row);
  }

  delete(key: K): void {
    if (!this.rows.has(key)) return;
    this.record(this as never, key, this.rows.get(key));
    this.set(key, undefined);
  }

  clear(): void {
    for (const key of this.rows.keys()) this.delete(key);
  }

  /** Calls `watcher` at each later change; indexes and queues are built this way, before the store is opened. */
  watch(watcher: Watcher<K, Row>): void {
    this.watchers.push(watcher);
  }

  /** Sets a row without recording it: for the store, which undoes and loads. */
  set(key: K, row: Row | undefined): void {
    const before = this.rows.get(key);
    if (row === undefined) this.rows.delete(key);
    else this.rows.set(key, row);
    for (const watcher of this.watchers) watcher(key, row, before);
  }
}

interface Change {
  readonly table: Table<Key, unknown>;
  readonly key: Key;
  readonly before: unknown;
}

export interface StoreOptions {
  /** Folder of journal and snapshots; null: nothing is written. */
  readonly folder: string | null;
  /** That of this sandbox, for the folder's marker. */
  readonly version: string;
  /** Size of a journal that a snapshot replaces, in bytes. */
  readonly journalMaxBytes: number;
}

/**
 * The sandbox's state: tables in memory and, with a folder, a journal of all changes. A unit of work is applied as a
 * whole or not at all, in memory as well as after a crash: it is one line of the journal. Nothing may be answered or
 * sent because of a unit before `synced` resolves.
 */
export class Store {
  private readonly tables = new Map<string, Table<Key, unknown>>();
  private readonly counters: Table<string, number>;
  private changes: Change[] | undefined;
  private journal: Journal | undefined;

  constructor(private readonly options: StoreOptions) {
    this.counters = this.table('counters');
  }

  table<K extends Key, Row>(name: string): Table<K, Row> {
    const table = new Table<K, Row>(name, (changed, key, before) => {
      if (this.changes === undefined) throw new Error(`A row of ${name} was changed outside a unit of work`);
      this.changes.push({ table: changed, key, before });
    });
    this.tables.set(name, table as never);
    return table;
  }

  /** Reads what the folder holds; to be called once, after all tables and their watchers exist. */
  async open(): Promise<void> {
    const { folder, version, journalMaxBytes } = this.options;
    if (folder === null) return;
    const load = ([name, key, row]: Entry): void => this.tables.get(name)?.set(key, row ?? undefined);
    this.journal = await Journal.open({ folder, version, maxBytes: journalMaxBytes, load, rows: () => this.rows() });
  }

  async close(): Promise<void> {
    await this.journal?.close();
  }

  /** Carries out `work`, which must not wait. Its changes are undone if it throws. An inner unit joins the outer. */
  unit<T>(work: () => T): T {
    if (this.changes !== undefined) return work();
    const changes: Change[] = [];
    this.changes = changes;
    try {
      const result = work();
      if (changes.length > 0) this.journal?.append(entriesOf(changes));
      return result;
    } catch (error) {
      for (const { table, key, before } of changes.toReversed()) table.set(key, before);
      throw error;
    } finally {
      this.changes = undefined;
    }
  }

  /** Resolves when everything that was done so far survives a crash; at once without a folder. */
  async synced(): Promise<void> {
    await this.journal?.synced();
  }

  /** The next number of a sequence, which neither a reset nor a restart repeats. */
  next(sequence: string, first = 1): number {
    const number = this.counters.get(sequence) ?? first;
    this.counters.put(sequence, number + 1);
    return number;
  }

  /** Null if changes can be stored, else the reason why not. */
  get failure(): Error | null {
    return this.journal?.failure ?? null;
  }

  private *rows(): Iterable<Entry> {
    for (const table of this.tables.values()) {
      for (const key of table.keys()) {
        const row = table.get(key);
        if (row !== undefined) yield [table.name, key, row];
      }
    }
  }
}

/** The last state of each changed row, in the order of the first changes. */
function entriesOf(changes: readonly Change[]): Entry[] {
  const seen = new Map<Table<Key, unknown>, Set<Key>>();
  return changes.flatMap(({ table, key }): Entry[] => {
    const keys = seen.get(table) ?? new Set();
    seen.set(table, keys);
    if (keys.has(key)) return [];
    keys.add(key);
    return [[table.name, key, table.get(key) ?? null]];
  });
}
