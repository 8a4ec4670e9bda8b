import {
  definitionOf,
  FAULT_KINDS,
  OF_CORE,
  type AffectedCall,
  type Aim,
  type Fault,
  type FaultKind,
  type Struck,
} from './fault.ts';

/** Kinds of which several add up; of any other the first counts. */
const ADDING: ReadonlySet<FaultKind> = new Set(['webhook-delay', 'webhook-shuffle']);
/** Kinds whose only effect is in the answer. */
const OF_ANSWER: ReadonlySet<FaultKind> = new Set([
  'lagging-reads',
  'reads-1300',
  'extra-fields',
  'status-as-text',
  'null-lists',
]);
/** Kinds that have had their effect when a route refuses a call; a state of some time ago may be the reason. */
const BEFORE_REFUSAL: ReadonlySet<FaultKind> = new Set(['delay', 'lagging-reads']);

/**
 * The faults of a call that have an effect, in their order; the others are not counted as struck. The first that
 * decides about something decides alone: among those of one kind, those that answer instead of the route (the gateway's
 * first), and those that tell the core what to do with an item. Nothing follows after a call that has ended.
 */
export function effectiveOnCall<T extends Struck>(striking: readonly T[], call: CallSubject): T[] {
  const all = firstOfEachKind(striking.filter(({ fault }) => !OF_CORE.has(fault.kind)));
  const ofCore = call.isQueued ? decidingItems(striking, call.products) : firstOfEachKind(refusals(striking));
  const before = firstEnd(all, 'before');
  const isRefused = !call.isQueued && ofCore.length > 0;
  const after = firstEnd(all, 'after');
  const isLate = all.some(({ fault }) => fault.kind === 'late');
  const isLeftAlone = ofCore.some(({ fault }) => fault.product === undefined);
  return striking.filter((one) => {
    if (!all.includes(one) && !ofCore.includes(one)) return false;
    const { kind } = one.fault;
    if (kind === 'delay') return true;
    if (before) return one === before;
    if (isRefused) return ofCore.includes(one);
    if (kind === 'reopen') return !isLeftAlone;
    if (isLate) return kind === 'late' || OF_CORE.has(kind);
    if (OF_ANSWER.has(kind)) return after === undefined;
    return !endsAt(one, 'after') || one === after;
  });
}

/** True for a fault whose effect does not come when the route refuses the call. */
export function endsWithRefusal({ kind }: Fault): boolean {
  return !BEFORE_REFUSAL.has(kind);
}

/** The facts of a call that decide about the effect of its faults. */
export type CallSubject = Pick<AffectedCall, 'isQueued'> & Pick<Aim, 'products'>;

/** Those of several faults of a notification that have an effect: nothing changes one that is lost. */
export function effectiveOnDelivery<T extends Struck>(striking: readonly T[]): T[] {
  const all = firstOfEachKind(striking);
  const lost = all.find(({ fault }) => fault.kind === 'webhook-lose');
  return lost ? [lost] : all;
}

function firstOfEachKind<T extends Struck>(striking: readonly T[]): T[] {
  return striking.filter(
    (one, index) =>
      ADDING.has(one.fault.kind) || striking.findIndex(({ fault }) => fault.kind === one.fault.kind) === index,
  );
}

function refusals<T extends Struck>(striking: readonly T[]): T[] {
  return striking.filter(({ fault }) => fault.kind === 'refuse');
}

function endsAt({ fault, count }: Struck, when: 'before' | 'after'): boolean {
  return definitionOf(fault.kind).call?.(fault, count)[when] !== undefined;
}

/** The first by the order of `FAULTS`. */
function firstEnd<T extends Struck>(striking: readonly T[], when: 'before' | 'after'): T | undefined {
  return striking
    .filter((one) => endsAt(one, when))
    .toSorted((one, other) => FAULT_KINDS.indexOf(one.fault.kind) - FAULT_KINDS.indexOf(other.fault.kind))[0];
}

/** Each item has the first fault that is aimed at it or at all. */
function decidingItems<T extends Struck>(striking: readonly T[], products: Aim['products']): T[] {
  const ofCore = striking.filter(({ fault }) => OF_CORE.has(fault.kind));
  const items = products.length === 0 ? [null] : products;
  const deciding = items.map((item) =>
    ofCore.find(({ fault }) => fault.product === undefined || fault.product === item),
  );
  return ofCore.filter((one) => deciding.includes(one));
}
