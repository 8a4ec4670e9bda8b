interface State<Row> {
  readonly row: Row;
  /** Time until which the row was so, in milliseconds since 1970. */
  readonly until: number;
}

/** As long as the longest window of a lagging read. */
const LONGEST_AGE_MS = 600_000;
const MOST_PER_KEY = 50;
const MOST_KEYS = 5_000;

/**
 * The states that rows had before, as long as a lagging read may show them: in memory only, so that reads lag behind
 * no start of the process.
 */
export class EarlierStates<K, Row> {
  private readonly states = new Map<K, readonly State<Row>[]>();

  /** Remembers the state that ends now. */
  end(key: K, row: Row, nowMs: number): void {
    const states = this.states.get(key) ?? [];
    const recent = states.filter(({ until }) => until > nowMs - LONGEST_AGE_MS).slice(1 - MOST_PER_KEY);
    // The map stays ordered by the newest change of each key.
    this.states.delete(key);
    this.states.set(key, [...recent, { row, until: nowMs }]);
    const [oldest] = this.states.keys();
    if (oldest !== undefined && this.states.size > MOST_KEYS) this.states.delete(oldest);
  }

  /** The state of that time; undefined if it is still the present one. */
  at(key: K, ms: number): Row | undefined {
    return this.states.get(key)?.find(({ until }) => until > ms)?.row;
  }

  clear(): void {
    this.states.clear();
  }
}
