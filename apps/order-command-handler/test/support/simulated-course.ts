import { type AttemptAnswer, withAnswer, withAttempt } from '@gondola/shared/commands/attempts';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { ORDER_CANCELLED, ORDER_INVOICED, VALUES_RECALCULATED } from '@gondola/shared/orders/order-statuses';
import { moneyText } from '@gondola/shared/units-and-money/money';
import {
  type CommandProgress,
  NOT_STARTED,
  type PayloadPurpose,
  type ReadPurpose,
  withFailedRead,
  withPayload,
  withPdfAsked,
  withPdfCheckAsked,
  withRead,
} from '../../src/commands/command-progress.ts';
import type { UnconfirmedCommand } from '../../src/commands/corrections.ts';
import type { NamedTarget } from '../../src/commands/decision.ts';
import { judgeCommand } from '../../src/commands/read-command.ts';
import type { PdfCheck, PdfOutcome } from '../../src/invoices/pdf-outcome.ts';
import type { ConcludedCommand } from '../../src/lanes/concluded-command.ts';
import { type LanePlan, planLane } from '../../src/lanes/lane-plan.ts';
import type { HeadCommand } from '../../src/lanes/lane-situation.ts';
import { type OrderFact, PAYLOAD_READ } from '../../src/notifications/order-fact.ts';
import { NO_OPEN_STEPS } from '../../src/watch/open-steps.ts';
import { foldFacts, statusOf } from '../../src/orders/order-state.ts';
import { readOrderValues } from '../../src/values/order-values.ts';
import { NOTHING_PUBLISHED, type PublishedState } from '../../src/orders/published-state.ts';
import { statusReadingFact } from '../../src/orders/status-reading.ts';
import type { Change } from '../../src/platform/order-calls.ts';
import { COMMAND_SETTINGS } from './command-settings.ts';
import { refusalFact, stateFact } from './facts.ts';

/** Fate of one changing call, or of one read of a command that only reads. */
export type Fate =
  /** Accepted, carried out, and notified. */
  | 'event'
  /** Accepted, and nothing else ever happens. */
  | 'silence'
  /** Accepted, then refused by the core. */
  | 'refusal'
  /** The answer and the notification are lost. */
  | 'lost answer, applied'
  /** Not carried out. */
  | '500'
  | 'time-out'
  /** Accepted, then the order is cancelled instead. */
  | 'overtaken by a cancellation';

const START_MS = Date.parse('2026-11-20T13:00:00Z');
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const REFUSALS: Readonly<Record<Change['kind'], string>> = {
  status: 'Order_StatusUpdateFailed',
  picking: 'Operation_Failed',
  register: 'Operation_Failed',
  cancel: 'Order_CancelFailed',
};
const ATTACHED: PdfOutcome = { outcome: 'applied', evidence: 'read-back', reason: null, platform: null, attempts: 1 };
const MAX_STEPS = 2_000;

/** An order before its command: how the platform has it. */
export interface CourseStart {
  readonly status?: number;
  readonly registered?: boolean;
  readonly attached?: boolean;
  /** False: its 300 never came. */
  readonly paid?: boolean;
  /** Status to which the platform has moved it since, without a notification. */
  readonly lost?: number;
  /** The command that this one names. */
  readonly named?: NamedTarget;
  /** For so long after the first call the platform answers changes with this, and carries none out; reads work. */
  readonly outage?: { readonly ms: number; readonly answer: AttemptAnswer };
  /** An earlier command that ended `unconfirmed`, and is refused by this event after the first call. */
  readonly refusedLate?: string;
}

/** Operation of the earlier command. */
const EARLIER = 'earlier operation';
const UNCONFIRMED: UnconfirmedCommand = {
  commandId: 'earlier',
  command: 'ReportPicking',
  resultId: 'earlier result',
  target: VALUES_RECALCULATED,
  operationIds: [EARLIER],
  receivedAt: '2026-11-20T12:00:00Z',
  attempts: 1,
  traceparent: TRACEPARENT,
};

/**
 * One order, one command of any kind, and a platform that treats its calls by their fates: the lane's steps without
 * database, Kafka and HTTP. Time passes only where the lane waits.
 */
export class SimulatedCourse {
  end: ConcludedCommand['conclusion'] | null = null;
  attempts = 0;
  /** Calls that the platform has carried out. */
  effects = 0;
  /** Outcomes of the earlier command's corrections. */
  readonly corrected: string[] = [];
  readonly #start: CourseStart;
  #unconfirmed: readonly UnconfirmedCommand[];
  #pastOperationIds: readonly string[];
  readonly #head: Pick<HeadCommand, 'commandId' | 'judged' | 'traceparent' | 'named'>;
  readonly #fates: readonly Fate[];
  readonly #readFates: Fate[];
  readonly #priceOf = new Map<string, string>();
  #facts: OrderFact[] = [];
  #published: PublishedState = NOTHING_PUBLISHED;
  #progress: CommandProgress = NOT_STARTED;
  #pdfCheck: PdfCheck | null = null;
  #pdfOutcome: PdfOutcome | null = null;
  #nowMs = START_MS;
  #deadlineAtMs: number | null = null;
  #firstCallMs: number | null = null;
  #status: number;
  #price = '12.45';
  #registered: boolean;
  readonly #attached: boolean;

  /**
   * Its changing calls have these fates, in their order; the last one is that of all further ones. Reads are answered,
   * but those of a command that only reads have these fates, and then are answered.
   */
  constructor(record: JsonRecord, fates: readonly Fate[], start: CourseStart = {}) {
    const { status = 300, registered = false, attached = false, paid = true, lost, named } = start;
    this.#start = start;
    this.#unconfirmed = start.refusedLate === undefined ? [] : [UNCONFIRMED];
    this.#pastOperationIds = start.refusedLate === undefined ? [] : [EARLIER];
    const judged = judgeCommand({ commandId: 'c', orderNumber: 1, ...record }, { language: 'en', units: {} });
    if (judged.kind === 'invalid') throw new Error(JSON.stringify(judged.errors));
    this.#head = { commandId: 'c', judged, traceparent: TRACEPARENT, named: named ?? null };
    this.#fates = fates;
    this.#readFates = judged.definition.change === null ? [...fates] : [];
    this.#status = status;
    this.#registered = registered;
    this.#attached = attached;
    if (paid) this.#notify(300);
    if (status !== 300) this.#notify(status);
    this.#status = lost ?? status;
  }

  /** The order's status at the platform. */
  get status(): number {
    return this.#status;
  }

  run(): this {
    for (let step = 0; step < MAX_STEPS && this.end === null; step += 1) this.#step();
    return this;
  }

  #step(): void {
    const state = foldFacts(this.#facts);
    const known = state?.payloadFact ?? state?.valuesFact ?? null;
    const progress = this.#progress;
    const pdf = { pdfCheck: this.#pdfCheck, pdfOutcome: this.#pdfOutcome };
    const deadlineInMs = this.#deadlineAtMs === null ? null : this.#deadlineAtMs - this.#nowMs;
    const plan = planLane(
      {
        state,
        values: readOrderValues({ items: [{ skuId: 's-1' }] }, 1),
        skus: [
          { skuExternalReference: '4711-1', skuId: 's-1', productId: null, ean: null, reference: null, name: null },
        ],
        finalPrice: known === null ? null : (this.#priceOf.get(known.hash) ?? null),
        published: this.#published,
        unconfirmed: this.#unconfirmed,
        pastOperationIds: this.#pastOperationIds,
        watch: null,
        heads: [{ ...this.#head, ...pdf, progress, deadlineInMs }],
        nowMs: this.#nowMs,
        isLagging: false,
        openSteps: NO_OPEN_STEPS,
        known: null,
        showsRegistration: false,
        showsPdf: false,
        language: 'en',
      },
      COMMAND_SETTINGS,
    );
    this.#published = plan.published;
    this.corrected.push(...plan.corrections.map(({ correctedOutcome }) => correctedOutcome));
    if (plan.corrections.length > 0) this.#unconfirmed = [];
    this.end = plan.concluded.find(({ commandId }) => commandId === 'c')?.conclusion ?? null;
    this.#askGateway(plan);
    const [call] = plan.calls;
    if (call === undefined) this.#nowMs += Math.max(plan.dueInMs ?? 0, 1_000);
    else if (call.kind === 'send') this.#send(call.change);
    else if (call.kind === 'read') this.#read(call.purpose);
    else if (call.kind === 'read-payload') this.#readPayload(call.purpose);
  }

  #askGateway({ pdf }: LanePlan): void {
    if (pdf === null) return;
    if (pdf.orderId === null) {
      this.#progress = withPdfCheckAsked(this.#progress, this.#now());
      this.#pdfCheck = { kind: 'good', untilMs: Infinity };
      return;
    }
    this.#progress = withPdfAsked(this.#progress, this.#marker());
    this.#deadlineAtMs ??= this.#nowMs + COMMAND_SETTINGS.invoiceMs;
    this.#pdfOutcome = this.#attached ? { ...ATTACHED, outcome: 'unchanged', evidence: 'already-in-state' } : ATTACHED;
    // A registration that an own command made becomes 350 by itself; one from before waits for its PATCH.
    if (this.#progress.attempts.some(({ step }) => step === 'register') && this.#registered) {
      this.#status = ORDER_INVOICED;
      this.#notify(ORDER_INVOICED);
    }
  }

  #send(change: Change): void {
    this.attempts += 1;
    const isInvoice = change.kind === 'register';
    this.#deadlineAtMs ??= this.#nowMs + (isInvoice ? COMMAND_SETTINGS.invoiceMs : COMMAND_SETTINGS.deadlineMs);
    this.#firstCallMs ??= this.#nowMs;
    this.#progress = withAttempt(this.#progress, { ...this.#marker(), step: change.kind, priceBefore: this.#price });
    const { outage, refusedLate } = this.#start;
    if (this.attempts === 1 && refusedLate !== undefined) this.#store(refusalFact(EARLIER, { eventType: refusedLate }));
    if (outage !== undefined && this.#nowMs < this.#firstCallMs + outage.ms) {
      this.#progress = withAnswer(this.#progress, outage.answer);
      this.#nowMs += 100;
      return;
    }
    const operationId = `operation ${this.attempts}`;
    const fate = this.#fates[Math.min(this.attempts, this.#fates.length) - 1] ?? 'event';
    if (fate === 'event' || fate === 'lost answer, applied') this.#apply(change, operationId, fate === 'event');
    this.#progress = withAnswer(this.#progress, answerOf(fate, operationId));
    this.#nowMs += 100;
    if (fate === 'refusal') this.#store(refusalFact(operationId, { eventType: REFUSALS[change.kind] }));
    if (fate === 'overtaken by a cancellation') {
      this.#status = ORDER_CANCELLED;
      this.#notify(ORDER_CANCELLED);
    }
  }

  #apply(change: Change, operationId: string, isNotified: boolean): void {
    this.#nowMs += 100;
    this.effects += 1;
    if (change.kind === 'register') this.#registered = true;
    if (change.kind === 'picking') this.#price = moneyText(change.finalOrderPrice) ?? this.#price;
    if (change.kind === 'status') this.#status = change.target;
    if (change.kind === 'cancel') this.#status = ORDER_CANCELLED;
    if (!isNotified || change.kind === 'register') return;
    if (change.kind === 'cancel') this.#notify(750, operationId);
    this.#notify(change.kind === 'picking' ? VALUES_RECALCULATED : this.#status, operationId);
  }

  #read(purpose: ReadPurpose): void {
    const fate = this.#readFates.shift() ?? 'event';
    if (this.#hasFailed(fate)) return;
    const isRefused = fate === 'refusal';
    this.#progress = withRead(this.#progress, { purpose, at: this.#now(), status: isRefused ? null : this.#status });
    if (!isRefused && statusOf(foldFacts(this.#facts)!) !== this.#status) this.#storeReading(false);
  }

  #hasFailed(fate: Fate): boolean {
    if (fate !== '500' && fate !== 'time-out' && fate !== 'silence') return false;
    this.#progress = withFailedRead(this.#progress, fate, this.#now());
    this.#nowMs += 1_000;
    return true;
  }

  #readRefused(purpose: PayloadPurpose): void {
    const payload = { kind: 'refused', price: null, registered: false } as const;
    this.#progress = withPayload(this.#progress, { purpose, at: this.#now(), ...payload });
  }

  #readPayload(purpose: PayloadPurpose): void {
    const fate = this.#readFates.shift() ?? 'event';
    if (this.#hasFailed(fate)) return;
    if (fate === 'refusal') return this.#readRefused(purpose);
    const payload = { kind: 'found', price: this.#price, registered: this.#registered } as const;
    this.#progress = withPayload(this.#progress, { purpose, at: this.#now(), ...payload });
    this.#storeReading(true);
  }

  #storeReading(isPayload: boolean): void {
    const isKnown = statusOf(foldFacts(this.#facts)!) === this.#status;
    const { status, ticks, hash, source, eventType } = statusReadingFact({
      tenant: 'acme',
      orderNumber: '1',
      status: isPayload && isKnown ? null : this.#status,
      askedAt: this.#now(),
      beganAtMs: Date.parse(this.#now()),
      known: this.#facts,
      traceparent: TRACEPARENT,
      ...(isPayload && { payload: { data: Buffer.from('{}'), orderId: null } }),
    });
    const read = { status, ticks, hash, source, eventType, operationId: null, hasItems: false };
    this.#store(stateFact(0, null, read));
    if (eventType === PAYLOAD_READ) this.#priceOf.set(hash, this.#price);
  }

  #notify(status: number, operationId: string | null = null): void {
    this.#nowMs += 1_000;
    const fact = stateFact(status, new Date(this.#nowMs - 3 * 3_600_000).toISOString().slice(0, -1), { operationId });
    this.#priceOf.set(fact.hash, this.#price);
    this.#store(fact);
  }

  #store(fact: OrderFact): void {
    this.#facts.push({ ...fact, id: String(this.#facts.length + 1) });
  }

  #marker() {
    const fact = foldFacts(this.#facts)!.statusFact!;
    const before = { status: fact.status!, ticks: String(fact.ticks), hash: fact.hash };
    return { at: this.#now(), seenFactId: this.#facts.at(-1)!.id, before };
  }

  #now(): string {
    return new Date(this.#nowMs).toISOString();
  }
}

function answerOf(fate: Fate, operationId: string): AttemptAnswer {
  if (fate === '500') return { kind: 'unknown', cause: 'server-error', status: 500 };
  if (fate === 'time-out' || fate === 'lost answer, applied') return { kind: 'unknown', cause: 'timeout' };
  return { kind: 'accepted', operationId };
}
