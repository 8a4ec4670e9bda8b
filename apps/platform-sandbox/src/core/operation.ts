/** Effect of a fault on an accepted call: the core refuses it, or takes it without ever notifying. */
export interface CoreDirective {
  /** 4xx with which the core refuses each item. */
  readonly refuseStatus?: number;
  readonly silent?: boolean;
  /** A late call: it is taken so many milliseconds after its acceptance, unless its caller leaves before. */
  readonly lateMs?: number;
  /** After a status PATCH the order returns to its status before it, so many milliseconds later. */
  readonly reopenMs?: number;
  /** Reference of the only item that this concerns; absent: all items of the call. */
  readonly onlyItem?: string;
}

/** One accepted item, waiting for the core or finished. */
export interface Operation {
  readonly seq: number;
  /** All items of a call share it. */
  readonly operationId: string;
  readonly contractAccountId: string;
  /** Kind that a step of the core takes. */
  readonly kind: string;
  /** JSON text of the item, until it was taken. */
  readonly payload: string;
  readonly directive: CoreDirective;
  readonly state: 'waiting' | 'applied' | 'silent' | 'crashed';
  readonly acceptedAt: number;
  readonly endedAt: number | null;
  readonly dueAt: number;
}

/** An accepted call, with the number of its items by state: waiting, applied, silent (a fault) or crashed. */
export interface AcceptedCall {
  /** That of its first item. */
  readonly seq: number;
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly kind: string;
  readonly acceptedAt: number;
  endedAt: number | null;
  items: number;
  waiting: number;
  applied: number;
  silent: number;
  crashed: number;
}

export interface NewOperation extends Pick<Operation, 'operationId' | 'contractAccountId' | 'kind' | 'directive'> {
  /** JSON texts, one per item; the core takes them in this order. */
  readonly payloads: readonly string[];
  /** Delay before the core takes them; default 0. */
  readonly delayMs?: number;
}
