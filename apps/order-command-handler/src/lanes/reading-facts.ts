import { createHash } from 'node:crypto';
import { parseRecord } from '@gondola/shared/json/json-digits';
import { isSameMoney } from '@gondola/shared/units-and-money/money';
import { naturalRank, PAYMENT_APPROVED } from '@gondola/shared/orders/order-statuses';
import type { CommandProgress, ReadPurpose } from '../commands/command-progress.ts';
import { FactContent } from '../facts/fact-content.ts';
import { layOver } from '../facts/known-order.ts';
import { type NewFact, newest, type OrderFact, PAYLOAD_READ } from '../facts/order-fact.ts';
import { foldFacts, type OrderState, statusOf } from '../facts/order-state.ts';
import { readOrderValues } from '../facts/order-values.ts';
import type { DoubtedStatus } from '../orders/order-row.ts';
import { partsOf } from '../orders/published-state.ts';
import type { Payload, Shown } from '../platform/order-calls.ts';
import type { LoadedLane } from './load-order-lanes.service.ts';
import { SECOND_READ_MS } from './order-watch.ts';

/**
 * Reads as facts (rules 9, 18). The platform's stores may be behind, v1's more than v2's, and a read must never set an
 * order back:
 *
 *   payload, dated by its `updatedAt` ──┬─ older than what is known ──▶ says nothing
 *                                       └─ newer ─────────────────────▶ a fact of that date
 *   `GET status`, another than known ───┬─ payload beside it is newer ▶ the payload's fact
 *                                       ├─ payload has no date ───┬ ahead ──▶ a fact, dated just after what is known
 *                                       │                         └ behind ─▶ the same if a second read shows it again
 *                                       └─ payload is not newer ──┬ ahead ──▶ the same if a second read shows it again
 *                                                                 └ behind ─▶ says nothing
 *
 * Ahead: later in the natural course than all that the order had. A payload without a date counts as `GET status` does,
 * with its values. A 300 is a fact in any case where none is known: it proves the payment, whatever followed it (rule
 * 7).
 */

/** The lane of an order that is read. */
export type KnownLane = Pick<LoadedLane, 'lane' | 'orderNumber' | 'state' | 'order' | 'values' | 'finalPrice'>;

/** Time of a read by Gondola's clock, RFC 3339, and its trace. */
export interface Asked {
  readonly at: string;
  readonly traceparent: string;
}

/** The facts of a read that say anything new, the payload's first. */
export function newFacts(
  known: KnownLane,
  { payload, status }: Shown,
  asked: Asked,
  doubted: DoubtedStatus | null = null,
): NewFact[] {
  const { state } = known;
  const isSecond = (each: number | null) => each !== null && isSecondRead(each, doubted, asked.at);
  const ofPayload =
    payload === null ? [] : newsOf(known, payload, payloadTicks(state, payload, isSecond(payload.status)), asked);
  if (status === null || ((payload?.status ?? null) !== null && ofPayload.length > 0)) return ofPayload;
  const ticks = statusTicks(state, payload, status, isSecond(status));
  return [...ofPayload, ...newsOf(known, status, ticks, asked)];
}

export interface JudgedRead {
  readonly facts: readonly NewFact[];
  /** The status that a second read is to confirm; null for none. */
  readonly doubted: DoubtedStatus | null;
}

/** The facts of a read, or the doubt in which it leaves its status. */
export function judgeRead(known: KnownLane, shown: Shown, asked: Asked, doubted: DoubtedStatus | null): JudgedRead {
  const facts = newFacts(known, shown, asked, doubted);
  const { status } = shown;
  const isInDoubt = isOtherStatus(known.state, status) && facts.every(({ ticks }) => ticks === null);
  if (!isInDoubt || status === null) return { facts, doubted: null };
  return { facts, doubted: doubted?.status === status ? doubted : { status, since: asked.at } };
}

/** True if a status without a date differs from the known one, so that its payload is to date it. */
export function isOtherStatus(state: OrderState | null, status: number | null): boolean {
  return status !== null && (state === null || statusOf(state) !== status);
}

/** Date of a payload's fact; undefined if it says nothing. */
function payloadTicks(state: OrderState | null, payload: Payload, isConfirmed: boolean): bigint | undefined {
  if (payload.updatedAt !== null) return datedTicks(state, payload);
  const isBehind = payload.status !== null && isDoubtful(state, payload.status);
  return isBehind && !isConfirmed ? undefined : newestTicks(state) + 1n;
}

/** Date of the fact of a status, beside the payload that was read with it; undefined if it says nothing. */
function statusTicks(
  state: OrderState | null,
  payload: Payload | null,
  status: number,
  isConfirmed: boolean,
): bigint | null | undefined {
  const known = newestTicks(state);
  const ofPayload = payload === null || payload.updatedAt === null ? null : datedTicks(state, payload);
  const isBehind = isDoubtful(state, status);
  const isContradicted = ofPayload !== null && ofPayload <= known;
  if (isConfirmed ? !(isBehind && isContradicted) : !isBehind && !isContradicted)
    return maxOf(ofPayload ?? known, known) + 1n;
  // The payment is proved, and nothing else: no fact is older than one without a date.
  return status === PAYMENT_APPROVED && state?.paid === false ? null : undefined;
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function newsOf(known: KnownLane, read: Payload | number, ticks: bigint | null | undefined, asked: Asked): NewFact[] {
  const { lane, orderNumber } = known;
  if (orderNumber === null) throw new Error('Only a lane with an order number can be read');
  if (ticks === undefined) return [];
  const fact = factOf({ tenant: lane.tenant, orderNumber }, read, ticks, asked);
  return isNews(known, fact, typeof read === 'number' ? null : read) ? [fact] : [];
}

/**
 * True if a payload says itself that it is older than what is known of the order: nothing in it counts, for events and
 * for commands.
 */
export function isOutdated(state: OrderState | null, payload: Payload): boolean {
  const known = newestTicks(state);
  if (state === null || payload.updatedAt === null) return false;
  const ticks = datedTicks(state, payload);
  const status = statusOf(state);
  const isBehind = payload.status !== null && status !== null && naturalRank(payload.status) < naturalRank(status);
  return ticks < known || (ticks === known && isBehind);
}

/**
 * True if a status without a date is not ahead of all that the order is known to have had: a store that is behind shows
 * an earlier one.
 */
export function isDoubtful(state: OrderState | null, status: number): boolean {
  const known = state === null ? null : statusOf(state);
  if (state === null || known === null || known === status) return false;
  const had = state.facts.flatMap((fact) => (fact.failure || fact.status === null ? [] : [fact.status]));
  return had.some((each) => each === status || naturalRank(each) > naturalRank(status));
}

/**
 * The status that a command concludes from a read that gave these facts: one in doubt, or 1300, leaves the known one.
 */
export function believedStatus(
  state: OrderState | null,
  facts: readonly Pick<NewFact, 'status' | 'ticks'>[],
): number | null {
  const read = facts.findLast((fact) => fact.ticks !== null && fact.status !== null)?.status ?? null;
  return read ?? (state === null ? null : statusOf(state));
}

/** Purposes of a read that conclude something from a status which is not the wanted one. */
const CONCLUDING: ReadonlySet<ReadPurpose> = new Set(['lost-answer', 'refusal', 'deadline', 'invoiced']);
const STATUSLESS_MS = 120_000;
const LEAST_PAUSE_MS = 1_000;

/** True if neither answer tells the status of now: 1300 is none, and an older payload tells that of before. */
export function isStatusless(state: OrderState | null, { payload, status }: Shown): boolean {
  return status === null && (payload === null || payload.status === null || isOutdated(state, payload));
}

/**
 * Milliseconds until a read that told no status is made again, doubling; null if it counts as the known status: for a
 * purpose that concludes nothing from it, or after two minutes, for a shop that keeps 1300 as the status of an order.
 */
export function readAgainInMs(
  { statuslessSince }: Pick<CommandProgress, 'statuslessSince'>,
  purpose: ReadPurpose,
  at: string,
): number | null {
  if (!CONCLUDING.has(purpose)) return null;
  const forMs = statuslessSince === null ? 0 : Date.parse(at) - Date.parse(statuslessSince);
  return forMs >= STATUSLESS_MS ? null : Math.max(forMs, LEAST_PAUSE_MS);
}

function isSecondRead(status: number, doubted: DoubtedStatus | null, at: string): boolean {
  return doubted?.status === status && Date.parse(at) - Date.parse(doubted.since) >= SECOND_READ_MS;
}

/** True if the fact changes anything of the order's view, or its date. */
function isNews(known: KnownLane, fact: NewFact, payload: Payload | null): boolean {
  const { state } = known;
  const next = foldFacts([...(state?.facts ?? []), { ...fact, id: String(Number.MAX_SAFE_INTEGER), error: null }]);
  if (state === null || next === null) return next !== null;
  if (next.paid !== state.paid || statusOf(next) !== statusOf(state)) return true;
  if (payload === null || next.payloadFact?.hash !== fact.hash) return false;
  // Also one that shows what is known: what is older than it says nothing from now on.
  return (payload.updatedAt !== null && (fact.ticks ?? 0n) > newestTicks(state)) || !areValuesKnown(known, payload);
}

function areValuesKnown({ order, values, finalPrice }: KnownLane, { bytes, price }: Payload): boolean {
  const read = parseRecord(bytes);
  if (price !== null && !isSameMoney(price, finalPrice ?? undefined)) return false;
  if (read === null || order === null || values === null) return read === null;
  const parts = partsOf(readOrderValues(layOver(order, read), values.orderNumber));
  const knownParts = partsOf(values);
  return Object.entries(parts).every(([name, hash]) => knownParts[name] === hash);
}

/** The facts of an order that nothing was known of. */
export function foundFacts(
  order: { readonly tenant: string; readonly orderNumber: string },
  { payload, status }: Shown,
  asked: Asked,
): NewFact[] {
  const ofPayload = payload === null ? [] : [factOf(order, payload, payload.updatedAt?.ticks ?? 0n, asked)];
  const isStatusNeeded = status !== null && (payload?.status ?? null) === null;
  // Not older than the payload whose status it is.
  const ticks = (ofPayload[0]?.ticks ?? 0n) + 1n;
  return isStatusNeeded ? [...ofPayload, factOf(order, status, ticks, asked)] : ofPayload;
}

/**
 * Two payloads of one date differ where one store is behind in what has no date: v2 counts, which is built from the
 * core, then the later read. The same answer is one fact, however often it is read.
 */
function factOf(
  { tenant, orderNumber }: { readonly tenant: string; readonly orderNumber: string },
  read: Payload | number,
  ticks: bigint | null,
  { at, traceparent }: Asked,
): NewFact {
  const payload = typeof read === 'number' ? null : read;
  const said = typeof read === 'number' ? `status:${read}` : `payload:${sha256(read.bytes)}`;
  return {
    dedupKey: `${tenant}:read:${orderNumber}:${said}:${String(ticks)}`,
    tenant,
    orderNumber,
    source: 'read',
    eventType: payload === null ? 'GET status' : PAYLOAD_READ,
    failure: false,
    operationId: null,
    status: typeof read === 'number' ? read : read.status,
    updatedAt: payload?.updatedAt?.text ?? null,
    ticks,
    orderId: payload?.orderId ?? null,
    hasItems: false,
    hash: `${payload?.version ?? 'status'} ${at} ${sha256(said)}`,
    content: payload === null ? null : new FactContent(payload.bytes),
    errorBytes: null,
    traceparent,
  };
}

/** Date of the newest thing that is known of an order, in units of 100 ns; -1 for none. */
function newestTicks(state: OrderState | null): bigint {
  const { statusFact, valuesFact, payloadFact, recalculation } = state ?? {};
  const known = [statusFact, valuesFact, payloadFact, recalculation].filter((fact): fact is OrderFact => fact != null);
  return newest(known)?.ticks ?? -1n;
}

/**
 * Date of a payload. Where it is written with fewer digits than the newest known one and equals it but for those, it is
 * the same date: v1 and v2 have serializers of their own.
 */
function datedTicks(state: OrderState | null, { updatedAt }: Payload): bigint {
  const ticks = updatedAt?.ticks ?? -1n;
  const known = newestTicks(state);
  const digits = /\.(\d+)/.exec(updatedAt?.text ?? '')?.[1]?.length ?? 0;
  const unit = 10n ** BigInt(7 - digits);
  return known - (known % unit) === ticks ? known : ticks;
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
