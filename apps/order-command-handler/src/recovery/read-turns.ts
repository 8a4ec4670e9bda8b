/** Reads that share a tenant's rate; `eldest` is the open order that has been due for longest. */
export const READS = ['order', 'scan', 'operator'] as const;
export type ReadKind = (typeof READS)[number];

/** Reads so far, since the process began. */
export interface ReadTurns {
  readonly last: ReadKind | null;
  /** Reads of open orders. */
  readonly orders: number;
}

export const NO_TURNS: ReadTurns = { last: null, orders: 0 };

/**
 * The kind of the next read, of those that are due. Open orders, numbers of scans and numbers that an operator asked
 * for take turns, so that none waits behind another, however many there are. Null if none is due.
 */
export function nextKind(due: ReadonlySet<ReadKind>, { last }: ReadTurns): ReadKind | null {
  const from = last === null ? 0 : READS.indexOf(last) + 1;
  return READS.map((_, index) => READS[(from + index) % READS.length]!).find((kind) => due.has(kind)) ?? null;
}

/** Every fourth read of an open order is that of the one which has been due for longest. */
const ELDEST_EVERY = 4;

/**
 * True if the next open order is the one that has been due for longest; else it is one of the fewest reads, and of
 * those the one that became due last, so that no backlog comes before an order whose notification was lost today.
 */
export function isEldestsTurn({ orders }: ReadTurns): boolean {
  return orders % ELDEST_EVERY === ELDEST_EVERY - 1;
}

export function afterTurn({ orders }: ReadTurns, kind: ReadKind): ReadTurns {
  return { last: kind, orders: orders + (kind === 'order' ? 1 : 0) };
}
