import type { ShownInvoice } from '@gondola/platform-client/read-answers';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import {
  CANCELLATION_ANALYSIS,
  CLOSED_TO_COMMANDS,
  ORDER_CANCELLED,
  VALUES_RECALCULATED,
} from '@gondola/shared/orders/order-statuses';
import { moneyText } from '@gondola/shared/units-and-money/money';
import type { OrderFact } from '../../src/facts/order-fact.ts';
import { foldFacts, statusOf } from '../../src/facts/order-state.ts';
import type { Change, InvoiceFacts, Payload } from '../../src/platform/order-calls.ts';
import { refusalFact, stateFact } from './facts.ts';
import { payloadOf } from './shown-payload.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.parse('2026-11-20T13:00:00Z');

export interface FateOfCall {
  /** Becomes of the call at the platform; default nothing. */
  readonly does?: 'apply' | 'refuse' | 'cancel';
  /** Time until then; `late`: just after the deadline. Default 0. */
  readonly afterMs?: number | 'late';
  /** Time until the notification of what was carried out; null: none ever. Default 0. */
  readonly notifiedMs?: number | null;
  /** `crash`: the process ends before it stores one. Default `accepted`. */
  readonly answer?: 'accepted' | 'refused' | 'lost' | '500' | 'crash' | 'unavailable';
}

export const FATES = {
  event: { does: 'apply' },
  'event, delayed': { does: 'apply', notifiedMs: MINUTE_MS },
  silence: {},
  /** Refused by the core. */
  refusal: { does: 'refuse' },
  'late event': { does: 'apply', afterMs: 'late' },
  'late refusal': { does: 'refuse', afterMs: 'late' },
  'lost answer, event at once': { does: 'apply', answer: 'lost' },
  'lost answer, event': { does: 'apply', afterMs: MINUTE_MS, answer: 'lost' },
  /** Carried out three time-outs after its caller has gone, also while newer calls come. */
  'lost answer, late event': { does: 'apply', afterMs: 3 * 30_000, answer: 'lost' },
  'lost answer, refusal': { does: 'refuse', afterMs: MINUTE_MS, answer: 'lost' },
  'lost answer, applied': { does: 'apply', notifiedMs: null, answer: 'lost' },
  '500': { answer: '500' },
  'time-out': { answer: 'lost' },
  crash: { answer: 'crash' },
  'crash, event': { does: 'apply', answer: 'crash' },
  /** The call of a process that is gone is carried out like one that was given up. */
  'crash, late event': { does: 'apply', afterMs: 3 * 30_000, answer: 'crash' },
  /** Refused by the answer. */
  '400': { answer: 'refused' },
  /** Certainly not arrived. */
  unavailable: { answer: 'unavailable' },
  /** The order is cancelled instead. */
  'overtaken by a cancellation': { does: 'cancel' },
} as const satisfies Readonly<Record<string, FateOfCall>>;

/** Fate of one changing call, or of one read of a command that only reads. */
export type Fate = keyof typeof FATES;

/** Fate of a notification: it arrives late, twice, or never. */
export interface Delivery {
  readonly afterMs: number;
  readonly doubled: boolean;
  readonly lost: boolean;
}

const AT_ONCE: Delivery = { afterMs: 0, doubled: false, lost: false };

/** The shop's way with invoices, where the document says nothing. */
export interface InvoicesOfShop {
  /** A second invoice takes the place of the first; false: it is refused. Default true. */
  readonly replaces?: boolean;
  /** How a payload shows the registered invoice. Default `named`. */
  readonly shows?: 'named' | 'unnamed' | 'nothing';
}

/** How the platform's read stores behave. */
export interface ReadWorld {
  /** `GET status` and the payload show the order of so long ago, with its own date. */
  readonly statusLagMs: number;
  readonly payloadLagMs: number;
  /** After a recalculation both show 1300. */
  readonly shows1300: boolean;
  /** Reads that are answered by a page, in their order; all further ones are answered. */
  readonly pages: readonly boolean[];
  /** Answers to `GET status`, in their order, that are 1300, whatever the order is in. Default: none. */
  readonly stray1300?: readonly boolean[];
}

/** An order as the platform has it at first. */
export interface OrderStart {
  readonly status?: number;
  /** True: the invoice with the number 1. */
  readonly registered?: boolean;
  readonly shop?: InvoicesOfShop;
  readonly attached?: boolean;
  /** False: its 300 never came. */
  readonly paid?: boolean;
  /** Status to which the platform has moved it since, without a notification. */
  readonly lost?: number;
  /** Fates of the notifications, in their order; all further ones arrive at once. */
  readonly deliveries?: readonly Delivery[];
  /** Default: reads show what is. */
  readonly reads?: ReadWorld;
}

const REFUSALS: Readonly<Record<Change['kind'], string>> = {
  status: 'Order_StatusUpdateFailed',
  picking: 'Operation_Failed',
  register: 'Operation_Failed',
  cancel: 'Order_CancelFailed',
};
const FIRST_INVOICE = '{"number":"1","issuanceDate":"2026-11-20T13:00:00Z","value":null}';
const FIRST_PDF = '{"uploadId":"u"}';
export const NOTHING_SHOWN: InvoiceFacts = { price: null, invoices: [], attached: false };
const TRUE_READS: ReadWorld = { statusLagMs: 0, payloadLagMs: 0, shows1300: false, pages: [] };

/** The order as the platform had it at a time. */
interface Snapshot {
  readonly atMs: number;
  readonly status: number;
  readonly shown: InvoiceFacts;
  readonly updatedMs: number;
  readonly is1300: boolean;
}

/** The order in the platform's fields. */
export function dataOf(price: string | null): JsonRecord {
  return { items: [{ skuId: 's-1' }], subtotal: { total: Number(price) } };
}

/** A local time of the platform. */
function localText(ms: number): string {
  return new Date(ms - 3 * 3_600_000).toISOString().slice(0, -1);
}

/** Count of calls by their end at the platform. */
export interface Tally {
  effects: number;
  refusals: number;
}

/**
 * One order at a platform that treats calls by their fates, and what its lane hears of it. Time passes only where the
 * lane waits.
 */
export class SimulatedOrder {
  /** The order's status at the platform. */
  status: number;
  /** The content of the PDF of its invoice; null for none. */
  file: string | null;
  /** Each status that the platform has had. */
  readonly history: number[] = [];
  /** Calls that the core has refused, and whose answers were lost. */
  namelessRefusals = 0;
  /** Facts that have arrived. */
  protected readonly facts: OrderFact[] = [];
  protected nowMs = START_MS;
  protected price = '12.45';
  /** The body of the registered invoice. */
  #invoice: string | null;
  /** Date of the order at the platform. */
  #updatedMs = START_MS;
  #is1300 = false;
  /** Later actions of the platform. */
  protected later: { readonly atMs: number; readonly run: () => void }[] = [];
  /** The values that the content of each fact shows, by its hash. */
  readonly #shownBy = new Map<string, InvoiceFacts>();
  readonly #snapshots: Snapshot[] = [];
  readonly #shop: InvoicesOfShop;
  readonly #reads: ReadWorld;
  readonly #pages: boolean[];
  readonly #stray1300: boolean[];
  readonly #deliveries: Delivery[] = [];

  constructor({ status = 300, paid = true, lost, ...start }: OrderStart) {
    this.#shop = start.shop ?? {};
    this.#reads = start.reads ?? TRUE_READS;
    this.#pages = [...this.#reads.pages];
    this.#stray1300 = [...(this.#reads.stray1300 ?? [])];
    this.status = status;
    this.#invoice = start.registered === true ? FIRST_INVOICE : null;
    this.file = start.attached === true ? FIRST_PDF : null;
    const heard = [...(paid ? [300] : []), ...(status === 300 ? [] : [status])];
    for (const each of heard) this.notify(each);
    this.status = lost ?? status;
    this.snap();
    this.#deliveries.push(...(start.deliveries ?? []));
    this.history.push(...heard, ...(lost === undefined ? [] : [lost]));
  }

  get isRegistered(): boolean {
    return this.#invoice !== null;
  }

  get isAttached(): boolean {
    return this.file !== null;
  }

  /** Number of the registered invoice; null for none. */
  get invoiceNumber(): string | null {
    return this.#invoice === null ? null : (JSON.parse(this.#invoice) as { number: string }).number;
  }

  /** The status that is known of the order. */
  get known(): number | null {
    const state = foldFacts(this.facts);
    return state === null ? null : statusOf(state);
  }

  /** The platform moves the order on by itself. */
  move(status: number): void {
    this.nowMs += MINUTE_MS;
    this.become(status);
    this.notify(status);
  }

  /** Treats a call by its fate, which `tally` counts; a late one is carried out at `lateMs`. */
  protected meet(change: Change, fate: Fate, operationId: string, tally: Tally, lateMs: number): void {
    const { does, afterMs = 0, notifiedMs = 0, answer }: FateOfCall = FATES[fate];
    const refuse = () => {
      tally.refusals += 1;
      if (answer !== undefined) this.namelessRefusals += 1;
      this.#deliver(refusalFact(operationId, { eventType: REFUSALS[change.kind] }));
    };
    const isClosed = () => CLOSED_TO_COMMANDS.has(this.status);
    const isSo = () => change.kind === 'status' && change.target === this.status;
    const acts = {
      refuse,
      // The platform refuses to set a status that the order has.
      apply: () =>
        isClosed() || isSo() || this.#isSecond(change) ? refuse() : this.#apply(tally, change, operationId, notifiedMs),
      cancel: () => {
        if (isClosed()) return;
        this.become(ORDER_CANCELLED);
        this.notify(ORDER_CANCELLED);
      },
    };
    if (does === undefined) return;
    const inMs = afterMs === 'late' ? lateMs - this.nowMs : afterMs;
    if (inMs === 0 && does !== 'refuse') acts[does]();
    else this.later.push({ atMs: this.nowMs + inMs, run: acts[does] });
  }

  #apply(tally: Tally, change: Change, operationId: string, notifiedMs: number | null): void {
    this.nowMs += 100;
    this.#touch();
    tally.effects += 1;
    if (change.kind === 'register') this.#invoice = change.body;
    if (change.kind === 'picking') {
      this.price = moneyText(change.finalOrderPrice) ?? this.price;
      this.#is1300 = true;
    }
    this.snap();
    if (change.kind === 'status') this.become(change.target);
    const notify = (status: number) => {
      if (notifiedMs !== null) this.notify(status, operationId, notifiedMs);
    };
    if (change.kind === 'cancel') {
      this.become(CANCELLATION_ANALYSIS);
      notify(CANCELLATION_ANALYSIS);
      this.become(ORDER_CANCELLED);
    }
    if (change.kind !== 'register') notify(change.kind === 'picking' ? VALUES_RECALCULATED : this.status);
  }

  /** True for an invoice that the shop does not take in place of another. */
  #isSecond(change: Change): boolean {
    const { replaces = true } = this.#shop;
    return change.kind === 'register' && !replaces && this.#invoice !== null && this.#invoice !== change.body;
  }

  protected become(status: number): void {
    this.#touch();
    this.status = status;
    this.#is1300 = false;
    this.snap();
    this.history.push(status);
  }

  /** The order changes at the platform. */
  #touch(): void {
    this.nowMs += 1;
    this.#updatedMs = this.nowMs;
  }

  protected notify(status: number, operationId: string | null = null, inMs = 0): void {
    this.nowMs += 1_000;
    this.#touch();
    this.snap();
    const fact = stateFact(status, localText(this.#updatedMs), { operationId });
    this.#shownBy.set(fact.hash, this.#shown());
    this.#deliver(fact, inMs);
  }

  /** A fact that arrives again is stored once. */
  #deliver(fact: OrderFact, inMs = 0): void {
    const { afterMs, doubled, lost } = this.#deliveries.shift() ?? AT_ONCE;
    if (lost) return;
    const { hash, operationId } = fact;
    const isKnown = () => this.facts.some((each) => each.hash === hash && each.operationId === operationId);
    const arrive = () => {
      if (!isKnown()) this.store(fact);
    };
    const ms = inMs + afterMs;
    if (ms === 0) arrive();
    else this.later.push({ atMs: this.nowMs + ms, run: arrive });
    if (doubled) this.later.push({ atMs: this.nowMs + ms + 1_000, run: arrive });
  }

  /** Stores a read, which shows the order as it is. */
  protected storeReading(fact: OrderFact, hasContent: boolean): void {
    if (hasContent) this.#shownBy.set(fact.hash, this.#shown());
    this.snap();
    this.store(fact);
  }

  protected store(fact: OrderFact): void {
    this.facts.push({ ...fact, id: String(this.facts.length + 1) });
  }

  /** The values of the newest content. */
  protected shownLast(): InvoiceFacts {
    const state = foldFacts(this.facts);
    const { hash = '' } = state?.payloadFact ?? state?.valuesFact ?? {};
    return this.#shownBy.get(hash) ?? NOTHING_SHOWN;
  }

  /** The values that a payload of this moment shows. */
  #shown(): InvoiceFacts {
    return { price: this.price, invoices: this.#shownInvoices(), attached: this.isRegistered && this.isAttached };
  }

  #shownInvoices(): readonly ShownInvoice[] {
    const { shows = 'named' } = this.#shop;
    if (this.#invoice === null || shows === 'nothing') return [];
    if (shows === 'unnamed') return [{ number: null, issuedAt: null, value: null }];
    const { number, issuanceDate, value } = JSON.parse(this.#invoice) as Record<string, string | null>;
    return [{ number: number!, issuedAt: issuanceDate!, value: value === null ? null : moneyText(value) }];
  }

  protected snap(): void {
    this.#snapshots.push({
      atMs: this.nowMs,
      status: this.status,
      shown: this.#shown(),
      updatedMs: this.#updatedMs,
      is1300: this.#is1300,
    });
  }

  protected payload(): Payload {
    const { payloadLagMs, shows1300 } = this.#reads;
    const { status, shown, updatedMs, is1300 } = this.#asOf(payloadLagMs);
    const code = shows1300 && is1300 ? VALUES_RECALCULATED : status;
    const data = { ...dataOf(shown.price), number: 1, status: code, updatedAt: localText(updatedMs) };
    return payloadOf(data, shown);
  }

  /** The status that `GET status` shows; null for 1300. */
  protected shownStatus(): number | null {
    const { statusLagMs, shows1300 } = this.#reads;
    const { status, is1300 } = this.#asOf(statusLagMs);
    const isStray = this.#stray1300.shift() === true;
    return isStray || (shows1300 && is1300) ? null : status;
  }

  /** True if the next read is answered by a page. */
  protected isPage(): boolean {
    return this.#pages.shift() === true;
  }

  #asOf(lagMs: number): Snapshot {
    return this.#snapshots.findLast(({ atMs }) => atMs <= this.nowMs - lagMs) ?? this.#snapshots[0]!;
  }

  protected now(): string {
    return new Date(this.nowMs).toISOString();
  }

  protected runDue(): void {
    const due = this.later.filter(({ atMs }) => atMs <= this.nowMs);
    this.later = this.later.filter(({ atMs }) => atMs > this.nowMs);
    for (const { run } of due) run();
  }

  /** Passes the time until the lane is due, or the platform does something. */
  protected wait(dueInMs: number | null): void {
    const next = Math.min(...this.later.map(({ atMs }) => Math.max(atMs - this.nowMs, 0)));
    this.nowMs += Math.min(Math.max(dueInMs ?? 0, 1_000), next);
    if (dueInMs === null && next !== Infinity)
      this.nowMs = Math.max(this.nowMs, Math.min(...this.later.map(({ atMs }) => atMs)));
  }
}
