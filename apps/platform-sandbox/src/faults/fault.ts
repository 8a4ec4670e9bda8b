import { createHash } from 'node:crypto';
import { z } from 'zod';
import { didYouMean } from '../values/near-word.ts';
import { PAGE_FORMS, type PageForm } from './page-answer.ts';
import { POISONS, type Poison, type Poisoning } from './poison.ts';

/** Combined effect of all striking faults on one call. */
export interface CallPlan {
  /** Delay in milliseconds before anything else. */
  readonly delayMs: number;
  /** Replaces the handling of the call. */
  readonly before: CallInterruption | PagedCall | undefined;
  /** Replaces the answer after the call was handled. */
  readonly after: CallInterruption | undefined;
  /** Longest time for which the answer waits until the outcome is delivered. */
  readonly outcomeFirstMs: number | undefined;
  /** Status of the answer to a synchronous call; an accepted one is refused by the core, as `core` says. */
  readonly refuseStatus: number | undefined;
  readonly core: CoreEffects;
  /** Kinds that struck. */
  readonly kinds: readonly FaultKind[];
  /** The caller gets no answer, and the call is carried out after it has gone. */
  readonly late: LateCall | undefined;
  /** Age of the state that a read shows, in milliseconds. */
  readonly lagMs: number;
  /** True: a read shows 1300 as the status of an order whose items were recalculated. */
  readonly shows1300: boolean;
  /** Time after which the shop puts the order back to the status before this call. */
  readonly reopenMs: number | undefined;
  /** Changes of the answer. */
  readonly changes: readonly PayloadChange[];
}

/** A later form of an answer or a notification, with the same meaning. */
export type PayloadChange = 'extra-fields' | 'status-as-text' | 'null-lists';

/** The core's treatment of an item instead of its work. */
interface ItemEffect {
  readonly refuseStatus?: number;
  readonly silent?: true;
}

/** The effect on all items of a call, but for those that have one of their own, by their references. */
interface CoreEffects extends ItemEffect {
  readonly ofItems?: Readonly<Record<string, ItemEffect>>;
}

/** A call without an answer. */
export interface LateCall {
  /** Time in which it is carried out, from its caller's leaving. */
  readonly delayMs: number;
  /** Longest time for which the connection stays open without an answer; 0: it is closed at once. */
  readonly heldMs: number;
}

/** A call that is answered, but not by its route. */
export interface PagedCall {
  readonly kind: 'page';
  readonly form: PageForm | undefined;
  /** Chooses the form if none is named. */
  readonly share: number;
}

export type CallInterruption =
  | { readonly kind: 'drop' }
  | { readonly kind: 'error'; readonly status: number }
  | { readonly kind: 'credentials-expired'; readonly status: number }
  | { readonly kind: 'too-many-requests'; readonly retryAfter: number };

/** Combined effect of all striking faults on one notification: no delivery, one, or several. */
export interface DeliveryPlan {
  readonly lost: boolean;
  readonly copies: number;
  /** Delay of the delivery in milliseconds. */
  readonly delayMs: number;
  /** Changes of the envelope and everything in it. */
  readonly changes: readonly PayloadChange[];
  /** A leaf of the envelope that no receiver expects. */
  readonly poison: Poisoning | undefined;
  /** Share of the bytes that remains of a corrupted notification; undefined: it stays whole. */
  readonly leftShare: number | undefined;
}

/** A fault's own options besides the common ones, and its effect on calls, notifications, or both. */
type FaultDefinition = {
  /** A sentence for people. */
  readonly effect: string;
  readonly options?: Readonly<Record<string, z.ZodType>>;
  /** Calls that it can affect, if not all. */
  readonly affects?: (call: AffectedCall) => boolean;
} & (Bends<'call'> | Bends<'delivery'>);

interface Acts {
  readonly call: (fault: Fault, count: FaultCount) => Partial<CallPlan>;
  readonly delivery: (fault: Fault, count: FaultCount) => Partial<DeliveryPlan>;
}

/** A call, as far as it decides which faults can affect it. */
export interface AffectedCall {
  readonly method: string;
  /** The core carries it out later. */
  readonly isQueued: boolean;
  /** Subject of a read that has earlier states. */
  readonly shows: 'order' | 'product' | undefined;
}

/** Requires an effect on at least one of them. */
type Bends<Where extends keyof Acts> = Pick<Acts, Where> & Partial<Acts>;

const pattern = z.string().refine(isRegularExpression, 'must be a regular expression');
const NAMES = {
  route: pattern.optional().describe('Regular expression on "METHOD path", tried with and without the query'),
  event: pattern
    .optional()
    .describe('Regular expression on the whole event name, of an order also with its status behind: Order_Updated 300'),
};
const ms = z
  .int()
  .min(0)
  .max(600_000)
  .optional()
  .describe(
    'Milliseconds: of a delay, of the window of a shuffle, a late call, a lagging read or a reopened order, of the wait for an outcome; of any other kind for how long it strikes',
  );
const OF_ALL = {
  times: z.int().min(1).optional().describe('Strikes so often at most; without it for ever'),
  share: z.number().min(0).max(1).optional().describe('Strikes this share of what it matches'),
  seed: z.int().optional().describe('Chooses which ones a share hits'),
  ms,
  orderNumber: z.int().min(1).optional().describe('Only calls and notifications of this order'),
  product: z.string().min(1).optional().describe('Only the product with this reference; of a batch only this item'),
};
const status = z.int().min(400).max(599).optional();

/**
 * All faults. If several strike one call with the same effect, the first in this list wins. A fault with its own
 * `ms` option uses it for its purpose; for any other, `ms` is the duration for which it strikes.
 */
const FAULTS = {
  'credentials-expired': {
    effect: 'Right credentials are answered like wrong ones, 401 or 403; nothing is done.',
    options: { status: z.literal([401, 403], 'must be 401 or 403').optional() },
    call: (fault) => ({ before: { kind: 'credentials-expired', status: fault.status ?? 401 } }),
  },
  'too-many-requests': {
    effect: 'The call is answered 429 with Retry-After; nothing is done.',
    options: {
      retryAfter: z.int().min(0).max(3_600).optional().describe('Seconds, as Retry-After carries them; default 1'),
    },
    call: ({ retryAfter = 1 }) => ({ before: { kind: 'too-many-requests', retryAfter } }),
  },
  'drop-before': {
    effect: 'The connection is closed without an answer, before anything is done.',
    call: () => ({ before: { kind: 'drop' } }),
  },
  page: {
    effect:
      'The call is answered 2xx with anything but its answer, or redirected; nothing is done. The seed chooses the form.',
    options: { form: z.enum(PAGE_FORMS).optional().describe('The form; without it each time another one') },
    call: ({ form, seed }, { matched }) => ({
      before: { kind: 'page', form, share: fraction(seed, matched, 'page') },
    }),
  },
  'error-before': {
    effect: 'The call is answered with this status, without being carried out.',
    options: { status },
    call: (fault) => ({ before: { kind: 'error', status: fault.status ?? 500 } }),
  },
  late: {
    effect:
      'The call gets no answer: its connection is closed at once, or stays open until its caller leaves. It is carried out at any time within this window afterwards, newer calls before it.',
    options: { ms },
    call: (fault, { matched }) => ({ late: lateCall(fault, matched) }),
  },
  'drop-after': {
    effect: 'The call is carried out, and the connection is closed without an answer.',
    call: () => ({ after: { kind: 'drop' } }),
  },
  'error-after': {
    effect: 'The call is carried out, and is answered with this status nevertheless.',
    options: { status },
    call: (fault) => ({ after: { kind: 'error', status: fault.status ?? 500 } }),
  },
  refuse: {
    effect: 'The core refuses an accepted call with this status; a synchronous call is answered with it.',
    options: { status },
    call: (fault) => ({ refuseStatus: fault.status ?? 400 }),
  },
  delay: {
    effect: 'The call waits this long before anything else.',
    options: { ms },
    call: (fault) => ({ delayMs: fault.ms ?? 1_000 }),
  },
  'outcome-first': {
    effect: 'The answer waits until the outcome was delivered.',
    options: { ms },
    affects: ({ isQueued }) => isQueued,
    call: (fault) => ({ outcomeFirstMs: fault.ms ?? 5_000 }),
  },
  'core-silent': {
    effect: 'The call is accepted; nothing happens, and nobody is notified.',
    affects: ({ isQueued }) => isQueued,
    call: () => ({}),
  },
  reopen: {
    effect:
      'After this status PATCH the shop puts the order back to the status before it, within this window, and notifies it.',
    options: { ms },
    affects: ({ method, isQueued }) => method === 'PATCH' && isQueued,
    call: (fault, { matched }) => ({
      reopenMs: Math.floor(fraction(fault.seed, matched, 'reopen') * (fault.ms ?? 1_000)),
    }),
  },
  'lagging-reads': {
    effect:
      'A status, a webhook-payload or a product is shown as it was some time ago, at most this long, with its dates of that time; what did not exist then is a 404.',
    options: { ms },
    affects: ({ shows }) => shows !== undefined,
    call: (fault, { matched }) => ({
      lagMs: 1 + Math.floor(fraction(fault.seed, matched, 'lag') * (fault.ms ?? 1_000)),
    }),
  },
  'reads-1300': {
    effect:
      'A status or a webhook-payload shows 1300 for an order whose items were recalculated, until its status changes.',
    affects: ({ shows }) => shows === 'order',
    call: () => ({ shows1300: true }),
  },
  'webhook-lose': { effect: 'The notification is lost: no attempt, no dead letter.', delivery: () => ({ lost: true }) },
  'webhook-double': { effect: 'The same bytes are delivered twice at the same time.', delivery: () => ({ copies: 2 }) },
  'webhook-delay': {
    effect: 'The notification is delivered this much later.',
    options: { ms },
    delivery: (fault) => ({ delayMs: fault.ms ?? 1_000 }),
  },
  'webhook-shuffle': {
    effect: 'The notification is delivered at any time within this window, so that the order changes.',
    options: { ms },
    delivery: (fault, { matched }) => ({
      delayMs: Math.floor(fraction(fault.seed, matched, 'shuffle') * (fault.ms ?? 500)),
    }),
  },
  'webhook-corrupt': {
    effect: 'Only the beginning of the bytes is delivered, which is no valid JSON.',
    delivery: ({ seed }, { matched }) => ({ leftShare: fraction(seed, matched, 'corrupt') }),
  },
  'webhook-poison': {
    effect:
      'One value of the notification holds a NUL, half of a surrogate pair, 10 kB of text, or another type than its own. The seed chooses the value and the poison.',
    options: {
      path: z.string().min(1).optional().describe('The value, as data.items.0.reference'),
      poison: z.enum(POISONS).optional().describe('What it holds'),
    },
    delivery: ({ path, poison, seed }, { matched }) => ({
      poison: {
        path,
        poison,
        leafShare: fraction(seed, matched, 'leaf'),
        poisonShare: fraction(seed, matched, 'poison'),
      },
    }),
  },
  'extra-fields': {
    effect: 'Every object gets a field that no document knows, and enumerations an unknown code.',
    call: () => ({ changes: ['extra-fields'] }),
    delivery: () => ({ changes: ['extra-fields'] }),
  },
  'status-as-text': {
    effect: 'An order\'s status is written as text, "300", in answers and notifications.',
    call: () => ({ changes: ['status-as-text'] }),
    delivery: () => ({ changes: ['status-as-text'] }),
  },
  'null-lists': {
    effect: 'Every list in an answer or a notification is null, the items of an order among them.',
    call: () => ({ changes: ['null-lists'] }),
    delivery: () => ({ changes: ['null-lists'] }),
  },
} satisfies Readonly<Record<string, FaultDefinition>>;

export type FaultKind = keyof typeof FAULTS;
export const FAULT_KINDS = Object.keys(FAULTS) as readonly FaultKind[];

/** An active fault. `FAULTS` defines its options and their meaning. */
export interface Fault {
  readonly kind: FaultKind;
  readonly route?: string | undefined;
  readonly event?: string | undefined;
  readonly times?: number | undefined;
  readonly share?: number | undefined;
  readonly seed?: number | undefined;
  readonly ms?: number | undefined;
  readonly status?: number | undefined;
  readonly retryAfter?: number | undefined;
  readonly orderNumber?: number | undefined;
  readonly product?: string | undefined;
  readonly form?: PageForm | undefined;
  readonly path?: string | undefined;
  readonly poison?: Poison | undefined;
  /** Time in milliseconds since 1970 after which it no longer strikes. */
  readonly until?: number | undefined;
}

/** Number of matches and of strikes of a fault. */
export interface FaultCount {
  readonly matched: number;
  readonly struck: number;
}

const KEYS = 'kind, route (of calls), event (of notifications), times, share, seed, ms, orderNumber, product';
const OWN_KEYS = ['status', 'retryAfter', 'form', 'path', 'poison'];
const KEY_NAMES = ['kind', 'route', 'event', ...OWN_KEYS, ...Object.keys(OF_ALL)];

/** Faults of an admin API request. Faults of calls have `route`, those of notifications `event`. */
export const FaultsBody = z.array(
  z.discriminatedUnion(
    'kind',
    FAULT_KINDS.map((kind) => {
      const { options, call, delivery } = definitionOf(kind);
      const named = { ...(call && { route: NAMES.route }), ...(delivery && { event: NAMES.event }) };
      return z.strictObject({ kind: z.literal(kind), ...named, ...OF_ALL, ...options }, { error: unknownKey });
    }) as unknown as [z.ZodObject],
    {
      error: (issue) => (issue.code === 'invalid_union' ? unknownKind(issue.input) : undefined),
    },
  ),
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be a list of faults, [ { "kind": … } ]' : undefined) },
);

/** A fault of both affects calls if it has `route`, notifications if it has `event`, and both without either. */
export function bendsCalls({ kind, route, event }: Fault): boolean {
  const { call, delivery } = definitionOf(kind);
  return call !== undefined && (delivery === undefined || route !== undefined || event === undefined);
}

export function bendsDeliveries({ kind, route, event }: Fault): boolean {
  const { call, delivery } = definitionOf(kind);
  return delivery !== undefined && (call === undefined || event !== undefined || route === undefined);
}

/**
 * A fault that affects calls and notifications becomes one of each. A notification holds the count of its fault until
 * it is stored, and no call may wait for that.
 */
export function countedApart(fault: Fault): readonly Fault[] {
  if (!bendsCalls(fault) || !bendsDeliveries(fault)) return [fault];
  const { route = '.*', event = '.*', ...same } = fault;
  return [
    { ...same, route },
    { ...same, event },
  ];
}

/** The fault as set at this time: one with a duration gets its end. */
export function begun(fault: Fault, nowMs: number): Fault {
  const hasOwnMs = 'ms' in (definitionOf(fault.kind).options ?? {});
  return fault.ms === undefined || hasOwnMs ? fault : { ...fault, until: nowMs + fault.ms };
}

export function isOver({ until }: Fault, nowMs: number): boolean {
  return until !== undefined && nowMs >= until;
}

/** False for a call on which the fault would have no effect. */
export function affects({ kind }: Fault, call: AffectedCall): boolean {
  return definitionOf(kind).affects?.(call) ?? true;
}

/** `path` may have a query; a fault matches with or without it. */
export function matchesCall(fault: Fault, method: string, path: string): boolean {
  const route = new RegExp(fault.route ?? '');
  return route.test(`${method} ${path}`) || route.test(`${method} ${path.split('?', 1)[0] ?? ''}`);
}

/**
 * `orderStatus` is the status in `data` of an order; `Order_Updated 300` matches one status, `Order_Updated` all.
 */
export function matchesEvent(fault: Fault, eventType: string, orderStatus: number | undefined): boolean {
  if (fault.event === undefined) return true;
  const event = new RegExp(`^(?:${fault.event})$`);
  return event.test(eventType) || (orderStatus !== undefined && event.test(`${eventType} ${orderStatus}`));
}

/** Subject of a call or a notification. */
export interface Aim {
  readonly orderNumber: number | undefined;
  /** One entry for each item; null for an item without a reference. */
  readonly products: readonly (string | null)[];
}

/** True for a fault without a target of its own, and for one whose target this is. */
export function isAimedAt({ orderNumber, product }: Fault, aim: () => Aim): boolean {
  if (orderNumber === undefined && product === undefined) return true;
  const target = aim();
  if (orderNumber !== undefined && target.orderNumber !== orderNumber) return false;
  return product === undefined || target.products.includes(product);
}

/** All kinds, with what they do, for people. */
export function faultKinds() {
  return FAULT_KINDS.map((kind) => {
    const { effect, options, call, delivery } = definitionOf(kind);
    const named = {
      ...(call && { route: NAMES.route }),
      ...(delivery && { event: NAMES.event }),
      ...OF_ALL,
      ...options,
    };
    return {
      kind,
      effect,
      of: [...(call ? ['call'] : []), ...(delivery ? ['notification'] : [])],
      options: Object.entries(named).map(([name, schema]) => {
        const {
          $schema: _dialect,
          description = '',
          ...values
        } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
        return { name, description, schema: values };
      }),
    };
  });
}

/** True if a fault strikes at its next match. */
export function strikes(fault: Fault, { matched, struck }: FaultCount): boolean {
  if (fault.times !== undefined && struck >= fault.times) return false;
  return fault.share === undefined || fraction(fault.seed, matched, 'share') < fault.share;
}

/** A fault that strikes, with its counts before. */
export interface Struck {
  readonly fault: Fault;
  readonly count: FaultCount;
}

/** Kinds that tell the core what to do with an item. */
export const OF_CORE: ReadonlySet<FaultKind> = new Set(['refuse', 'core-silent']);

/** The combined effect of faults that all have one (`effective-faults.ts`). */
export function callPlan(struck: readonly Struck[]): CallPlan {
  const plans = FAULT_KINDS.flatMap((kind) => {
    const first = struck.find(({ fault }) => fault.kind === kind);
    return first ? [definitionOf(kind).call?.(first.fault, first.count) ?? {}] : [];
  });
  const kinds = [...new Set(struck.map(({ fault }) => fault.kind))];
  const nothing = { delayMs: 0, lagMs: 0, shows1300: false, kinds };
  const core = coreEffects(struck.map(({ fault }) => fault));
  return Object.assign({}, nothing, ...plans.toReversed(), { core, changes: changesOf(plans) }) as CallPlan;
}

function coreEffects(faults: readonly Fault[]): CoreEffects {
  const ofCore = faults.filter(({ kind }) => OF_CORE.has(kind));
  const ofAll = ofCore.find(({ product }) => product === undefined);
  const aimed = ofCore.flatMap((fault) => (fault.product === undefined ? [] : [[fault.product, itemEffect(fault)]]));
  return {
    ...(ofAll && itemEffect(ofAll)),
    ...(aimed.length > 0 && { ofItems: Object.fromEntries(aimed) as Readonly<Record<string, ItemEffect>> }),
  };
}

/** A refusal with 500 or more is silent, because only a 4xx of the core makes a failure event. */
function itemEffect({ kind, status = 400 }: Fault): ItemEffect {
  return kind === 'core-silent' || status >= 500 ? { silent: true } : { refuseStatus: status };
}

/** Delays and changes add up; for everything else the first fault counts. */
export function deliveryPlan(struck: readonly Struck[]): DeliveryPlan {
  const plans = struck.map(({ fault, count }) => definitionOf(fault.kind).delivery?.(fault, count) ?? {});
  const delayMs = plans.reduce((sum, plan) => sum + (plan.delayMs ?? 0), 0);
  const nothing = { lost: false, copies: 1, leftShare: undefined, poison: undefined };
  return Object.assign({}, nothing, ...plans.toReversed(), { delayMs, changes: changesOf(plans) }) as DeliveryPlan;
}

function changesOf(plans: readonly Partial<Pick<CallPlan, 'changes'>>[]): readonly PayloadChange[] {
  return [...new Set(plans.flatMap(({ changes = [] }) => changes))];
}

/** Half of the callers are left to give up by themselves. */
function lateCall({ seed, ms: windowMs = 3_000 }: Fault, matched: number): LateCall {
  const isHeld = fraction(seed, matched, 'held') < 0.5;
  const delayMs = Math.floor(fraction(seed, matched, 'late') * windowMs);
  return { delayMs, heldMs: isHeld ? windowMs : 0 };
}

/** The first of these bytes: at least one remains and one is missing, so that no JSON object stays valid. */
export function corrupted(body: Buffer, leftShare: number): Buffer {
  return body.subarray(0, 1 + Math.floor(leftShare * (body.length - 2)));
}

export function definitionOf(kind: FaultKind): FaultDefinition {
  return FAULTS[kind];
}

/** A number from 0 to below 1 that depends on the arguments alone. */
function fraction(seed: number | undefined, matched: number, purpose: string): number {
  const digest = createHash('sha256')
    .update(`${seed ?? 0}:${purpose}:${matched}`)
    .digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

function unknownKey(issue: { code?: string; keys?: unknown }): string | undefined {
  if (issue.code !== 'unrecognized_keys' || !Array.isArray(issue.keys)) return undefined;
  const near = (issue.keys as string[]).map((key) => didYouMean(key, KEY_NAMES)).join('');
  return `takes no ${issue.keys.join(', ')}${near}; what a fault may have is ${KEYS}, and by its kind ${OWN_KEYS.join(', ')}`;
}

function unknownKind(input: unknown): string {
  const kinds = `kind must be one of ${FAULT_KINDS.join(', ')}`;
  const kind = typeof input === 'object' && input !== null && 'kind' in input ? input.kind : undefined;
  if (typeof kind !== 'string') return kinds;
  return `unknown kind \`${kind}\`${didYouMean(kind, FAULT_KINDS)} ${kinds}`;
}

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
