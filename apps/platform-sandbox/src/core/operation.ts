import { isJsonObject, keyOf, type Json } from '../values/exact-json.ts';

/** Effect of a fault on an item: the core refuses it, or takes it without ever notifying. */
interface ItemDirective {
  /** 4xx with which the core refuses it. */
  readonly refuseStatus?: number;
  readonly silent?: boolean;
}

/** Effect of faults on an accepted call, and on each of its items. */
export interface CoreDirective extends ItemDirective {
  /** A late call: it is taken so many milliseconds after its acceptance, unless its caller leaves before. */
  readonly lateMs?: number;
  /** After a status PATCH the order returns to its status before it, so many milliseconds later. */
  readonly reopenMs?: number;
  /** Effect on single items instead, by their references. */
  readonly ofItems?: Readonly<Record<string, ItemDirective>>;
}

/** Reference of an item, of a batch or of the payload that holds it; null without one. */
export function referenceOf(item: Json): string | null {
  if (typeof item === 'string') return item;
  if (!isJsonObject(item)) return null;
  const reference = keyOf(item, 'externalReference');
  return typeof reference === 'string' ? reference : referenceOf(keyOf(item, 'item') ?? null);
}

/** The directive of one item of a call. */
export function directiveOfItem({ ofItems, ...directive }: CoreDirective, item: () => Json): CoreDirective {
  if (ofItems === undefined) return directive;
  const reference = referenceOf(item());
  const own = reference !== null && Object.hasOwn(ofItems, reference) ? ofItems[reference] : undefined;
  if (own === undefined) return directive;
  const { refuseStatus: _status, silent: _silent, ...rest } = directive;
  return { ...rest, ...own };
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
