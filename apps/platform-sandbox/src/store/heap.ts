/** A priority queue: `pop` returns the entry that comes first by `compare`. */
export class Heap<T> {
  private readonly entries: T[] = [];

  constructor(private readonly compare: (one: T, other: T) => number) {}

  get first(): T | undefined {
    return this.entries[0];
  }

  push(entry: T): void {
    const { entries } = this;
    let at = entries.length;
    entries.push(entry);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.compare(entry, entries[above] as T) >= 0) break;
      entries[at] = entries[above] as T;
      at = above;
    }
    entries[at] = entry;
  }

  pop(): T | undefined {
    const { entries } = this;
    const first = entries[0];
    const last = entries.pop();
    if (last === undefined || entries.length === 0) return first;
    let at = 0;
    for (let child = 1; child < entries.length; child = 2 * at + 1) {
      const other = entries[child + 1];
      if (other !== undefined && this.compare(other, entries[child] as T) < 0) child += 1;
      if (this.compare(last, entries[child] as T) <= 0) break;
      entries[at] = entries[child] as T;
      at = child;
    }
    entries[at] = last;
    return first;
  }
}
