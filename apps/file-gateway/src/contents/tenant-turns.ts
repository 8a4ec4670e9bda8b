/**
 * A line for work that is done so many at a time: tenants take turns, and each one's work begins in its order, so that
 * the backlog of one tenant delays another's work by one piece (guarantee 5).
 */
export class TenantTurns {
  /** Waiting starts by tenant; the tenant that is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #free: number;

  constructor(places = 1) {
    this.#free = places;
  }

  async run<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await this.#turn(tenant);
    else this.#free -= 1;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(tenant: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(tenant, [...(this.#waiting.get(tenant) ?? []), resolve]);
    return promise;
  }

  /** Hands the place over directly, so that nobody who comes meanwhile takes it. */
  #next(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    const [tenant, [start, ...others]] = next;
    this.#waiting.delete(tenant);
    if (others.length > 0) this.#waiting.set(tenant, others);
    start?.();
  }
}
