import {
  type AttemptAnswer,
  operationIdsOf,
  withAnswer,
  withAttempt,
  withoutLastAttempt,
} from '@gondola/shared/commands/attempts';
import type { Digits, JsonRecord } from '@gondola/shared/json/json-digits';
import { naturalRank, ORDER_INVOICED, VALUES_RECALCULATED } from '@gondola/shared/orders/order-statuses';
import { finalResult } from '@gondola/shared/results/command-results';
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
  withStatuslessRead,
} from '../../src/commands/command-progress.ts';
import { rememberUnconfirmed } from '../../src/commands/corrections.ts';
import type { NamedTarget } from '../../src/commands/decision.ts';
import { judgeCommand } from '../../src/commands/read-command.ts';
import type { PdfCheck, PdfOutcome } from '../../src/pdf-results/pdf-outcome.ts';
import type { ConcludedCommand } from '../../src/lanes/concluded-command.ts';
import { type LanePlan, planLane } from '../../src/lanes/lane-plan.ts';
import { attemptsOf, type HeadCommand } from '../../src/lanes/lane-situation.ts';
import { NO_OPEN_STEPS, type OpenSteps, type OrderWatch, type UnconfirmedCommand } from '../../src/orders/order-row.ts';
import type { PendingEvent } from '../../src/orders/order-event.ts';
import { foldFacts } from '../../src/facts/order-state.ts';
import { readOrderValues } from '../../src/facts/order-values.ts';
import { NOTHING_PUBLISHED, type PublishedState } from '../../src/orders/published-state.ts';
import { watchOfDoubt } from '../../src/lanes/order-watch.ts';
import {
  believedStatus,
  isOtherStatus,
  isOutdated,
  isStatusless,
  judgeRead,
  readAgainInMs,
} from '../../src/lanes/reading-facts.ts';
import type { Change, Payload } from '../../src/platform/order-calls.ts';
import { COMMAND_SETTINGS, NOTHING_LOADED } from './command-settings.ts';
import { refusalFact } from './facts.ts';
import {
  dataOf,
  FATES,
  type Fate,
  type FateOfCall,
  NOTHING_SHOWN,
  type OrderStart,
  SimulatedOrder,
  type Tally,
} from './simulated-order.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const ATTACHED: PdfOutcome = { outcome: 'applied', evidence: 'read-back', reason: null, platform: null, attempts: 1 };
const MAX_STEPS = 4_000;
/** Time after a deadline in which the next command has made its call. */
const LATE_MS = 2_000;
/** Without limits, a stay in a state causes no event. */
const SETTINGS = {
  ...COMMAND_SETTINGS,
  limits: {
    notPreparedMs: null,
    pickingUnconfirmedMs: null,
    pdfMissingMs: null,
    notInvoicedMs: null,
    cancelUnfinishedMs: null,
    refundUnfinishedMs: null,
  },
};

/** An order before its command. */
export interface CourseStart extends OrderStart {
  /** The command that this one names. */
  readonly named?: NamedTarget;
  /** For so long after the first call the platform answers changes with this, and carries none out; reads work. */
  readonly outage?: { readonly ms: number; readonly answer: AttemptAnswer };
  /** An earlier command that ended `unconfirmed`, and is refused by this event after the first call. */
  readonly refusedLate?: string;
  /** Commands of the order that follow. */
  readonly next?: readonly PlayedCommand[];
  /** False: an invoice that is complete needs its PATCH. Default true. */
  readonly becomesInvoiced?: boolean;
  /** The first command's record is not valid any more from this step of the lane on. */
  readonly unreadableFrom?: number;
  /** The file gateway hears nothing of its upload, whatever became of the PDF. Default: it hears of it. */
  readonly silentPdf?: 'attached' | 'lost';
}

export interface PlayedCommand {
  readonly record: JsonRecord;
  /** Of its changing calls, in their order; the last one is that of all further ones. */
  readonly fates: readonly Fate[];
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

const UNREADABLE = judgeCommand({ commandId: 'c' }, { language: 'en', units: {} });

/** A command on its way to its end. */
class Course implements Tally {
  /** Its conclusions: one, if all is right. */
  readonly ends: ConcludedCommand['conclusion'][] = [];
  /** Outcomes of its corrections. */
  readonly corrected: string[] = [];
  attempts = 0;
  /** Fates of its changing calls. */
  readonly sent: Fate[] = [];
  /** Its calls that the platform has carried out. */
  effects = 0;
  /** True if the platform showed what it had carried out of it when it ended. */
  isShownAtEnd = false;
  /** Number of the invoice that the shop had when it ended; null for none. */
  invoiceAtEnd: string | null = null;
  /** Its calls that the core has refused. */
  refusals = 0;
  progress: CommandProgress = NOT_STARTED;
  pdfCheck: PdfCheck | null = null;
  pdfOutcome: PdfOutcome | null = null;
  deadlineAtMs: number | null = null;
  isUnreadable = false;
  readonly commandId: string;
  readonly judged: Extract<ReturnType<typeof judgeCommand>, { kind: 'valid' }>;
  readonly named: NamedTarget | null;
  readonly fates: readonly Fate[];

  constructor({ record, fates }: PlayedCommand, commandId: string, named: NamedTarget | null) {
    const judged = judgeCommand({ commandId, orderNumber: 1, ...record }, { language: 'en', units: {} });
    if (judged.kind === 'invalid') throw new Error(JSON.stringify(judged.errors));
    this.commandId = commandId;
    this.judged = judged;
    this.named = named;
    this.fates = fates;
  }

  get end(): ConcludedCommand['conclusion'] | null {
    return this.ends[0] ?? null;
  }

  head(nowMs: number): HeadCommand {
    const { commandId, named, progress, pdfCheck, pdfOutcome, deadlineAtMs } = this;
    const judged = this.isUnreadable ? UNREADABLE : this.judged;
    const deadlineInMs = deadlineAtMs === null ? null : deadlineAtMs - nowMs;
    return { commandId, judged, traceparent: TRACEPARENT, named, progress, pdfCheck, pdfOutcome, deadlineInMs };
  }
}

/** The lane of one order with commands of any kind: its steps without database, Kafka and HTTP. */
export class SimulatedCourse extends SimulatedOrder {
  readonly commands: readonly Course[];
  /** Outcomes of the earlier command's corrections. */
  readonly corrected: string[] = [];
  readonly events: PendingEvent[] = [];
  published: PublishedState = NOTHING_PUBLISHED;
  /** Each status that the ERP was told, by an event or a result. */
  readonly told: number[] = [];
  /** Requests to the file gateway. */
  pdfChecks = 0;
  pdfUploads = 0;
  /** PDFs that took the place of another while the shop had another invoice. */
  readonly wrongFiles: string[] = [];
  /** PATCHes that set an order back which was known to be behind 350. */
  readonly setBack: number[] = [];
  readonly #start: CourseStart;
  #unconfirmed: readonly UnconfirmedCommand[];
  #pastOperationIds: readonly string[];
  readonly #readFates: Fate[];
  #watch: OrderWatch | null = null;
  #openSteps: OpenSteps = NO_OPEN_STEPS;
  #firstCallMs: number | null = null;
  #calls = 0;
  #steps = 0;

  /**
   * Its changing calls have these fates, in their order; the last one is that of all further ones. Reads are answered,
   * but those of a command that only reads have these fates, and then are answered.
   */
  constructor(record: JsonRecord, fates: readonly Fate[], start: CourseStart = {}) {
    super(start);
    const { named, next = [] } = start;
    this.#start = start;
    this.#unconfirmed = start.refusedLate === undefined ? [] : [UNCONFIRMED];
    this.#pastOperationIds = start.refusedLate === undefined ? [] : [EARLIER];
    this.commands = [{ record, fates }, ...next].map(
      (each, index) => new Course(each, index === 0 ? 'c' : `next-${index}`, index === 0 ? (named ?? null) : null),
    );
    this.#readFates = this.first.judged.definition.change === null ? [...fates] : [];
  }

  get first(): Course {
    return this.commands[0]!;
  }

  /** The first command's conclusion; null while it is open. */
  get end(): ConcludedCommand['conclusion'] | null {
    return this.first.end;
  }

  get attempts(): number {
    return this.first.attempts;
  }

  /** Calls that the platform has carried out. */
  get effects(): number {
    return this.commands.reduce((sum, { effects }) => sum + effects, 0);
  }

  /** Steps until all commands have ended, and nothing is under way any more. */
  run(): this {
    const isUnderWay = () => this.later.length > 0 || this.commands.some(({ ends }) => ends.length === 0);
    for (let step = 0; step < MAX_STEPS && isUnderWay(); step += 1) this.#step();
    // A fact of the last step is published by the next one.
    for (let known = -1; known !== this.facts.length;) {
      known = this.facts.length;
      this.#step();
      this.#step();
    }
    return this;
  }

  #step(): void {
    this.#steps += 1;
    this.first.isUnreadable ||= this.#steps > (this.#start.unreadableFrom ?? Infinity);
    this.runDue();
    const { price: finalPrice, invoices: shownInvoices, attached: showsPdf } = this.shownLast();
    const before = this.published;
    const plan = planLane(
      {
        ...NOTHING_LOADED,
        state: foldFacts(this.facts),
        values: readOrderValues(dataOf(finalPrice), 1),
        skus: [
          { skuExternalReference: '4711-1', skuId: 's-1', productId: null, ean: null, reference: null, name: null },
        ],
        finalPrice,
        showsPdf,
        shownInvoices,
        row: {
          ...NOTHING_LOADED.row,
          published: before,
          unconfirmed: this.#unconfirmed,
          pastOperationIds: this.#pastOperationIds,
          watch: this.#watch,
          openSteps: this.#openSteps,
        },
        heads: this.#heads().map((each) => each.head(this.nowMs)),
      },
      { nowMs: this.nowMs, isLagging: false },
      { language: 'en', settings: SETTINGS },
    );
    this.#save(before, plan);
    this.#askGateway(plan);
    const [call] = plan.calls;
    if (call === undefined) this.wait(plan.dueInMs);
    else if (call.kind === 'watch') this.#readForWatch(call.watch);
    else {
      const course = this.commands.find(({ commandId }) => commandId === call.commandId)!;
      if (call.kind === 'send') this.#send(course, call.change);
      else if (call.kind === 'read') this.#read(course, call.purpose);
      else this.#readPayload(course, call.purpose);
    }
  }

  /** The oldest open command of each queue; `main` comes last. */
  #heads(): Course[] {
    const open = this.commands.filter(({ ends }) => ends.length === 0);
    const byQueue = Map.groupBy(open, ({ judged }) => judged.definition.queue);
    return [...byQueue.values()].flatMap(([head]) => head ?? []).toReversed();
  }

  #save(before: PublishedState, plan: LanePlan): void {
    this.published = plan.published;
    this.#watch = plan.watch;
    this.#openSteps = plan.openSteps;
    // A result changes the published status before the events of its step.
    const byResult = plan.events[0]?.previousStatus ?? (plan.events.length > 0 ? before.status : plan.published.status);
    if (byResult !== null && byResult !== before.status) this.told.push(byResult);
    this.told.push(...plan.events.flatMap(({ changes, status }) => (changes.includes('status') ? [status] : [])));
    this.events.push(...plan.events);
    for (const { unconfirmed, correctedOutcome } of plan.corrections) {
      this.commands.find(({ commandId }) => commandId === unconfirmed.commandId)?.corrected.push(correctedOutcome);
      if (unconfirmed === UNCONFIRMED) this.corrected.push(correctedOutcome);
    }
    this.#unconfirmed = this.#unconfirmed.filter((each) =>
      plan.corrections.every(({ unconfirmed }) => unconfirmed !== each),
    );
    for (const end of plan.concluded) this.#conclude(end);
  }

  #conclude({ commandId, conclusion }: ConcludedCommand): void {
    const course = this.commands.find((each) => each.commandId === commandId);
    if (course === undefined) return;
    course.ends.push(conclusion);
    course.invoiceAtEnd = this.invoiceNumber;
    course.isShownAtEnd = course.effects > 0 && this.#isShown(course.judged);
    const operationIds = operationIdsOf(course.progress);
    const entity = { kind: 'order', orderNumber: 1 } as const;
    const { name: command } = course.judged.definition;
    const subject = { tenant: 'acme', inputTopic: 'erp.orders.commands.v1', commandId, command, entity } as const;
    const result = finalResult({ ...subject, receivedAt: this.now() }, conclusion, {
      time: this.now(),
      attempts: attemptsOf(course.head(this.nowMs)),
      operationIds,
    });
    this.#unconfirmed = [...this.#unconfirmed, ...rememberUnconfirmed(result, TRACEPARENT)];
    this.#pastOperationIds = [...this.#pastOperationIds, ...operationIds];
  }

  #isShown({ definition, asked }: Course['judged']): boolean {
    if (definition.target === VALUES_RECALCULATED)
      return moneyText((asked as { readonly finalOrderPrice: Digits }).finalOrderPrice) === this.price;
    return definition.target === ORDER_INVOICED ? this.isRegistered : this.status === definition.target;
  }

  #askGateway({ pdf }: LanePlan): void {
    if (pdf === null) return;
    const course = this.commands.find(({ commandId }) => commandId === pdf.commandId)!;
    if (pdf.orderId === null) {
      this.pdfChecks += 1;
      course.progress = withPdfCheckAsked(course.progress, this.now());
      course.pdfCheck = { kind: 'good', untilMs: Infinity };
      return;
    }
    course.progress = withPdfAsked(course.progress, this.#marker());
    course.deadlineAtMs ??= this.nowMs + SETTINGS.invoiceMs;
    const { silentPdf, becomesInvoiced = true } = this.#start;
    this.pdfUploads += 1;
    if (silentPdf !== undefined) course.pdfOutcome = { ...ATTACHED, outcome: 'unconfirmed', evidence: 'none' };
    else if (this.file === JSON.stringify(pdf.content))
      course.pdfOutcome = { ...ATTACHED, outcome: 'unchanged', evidence: 'already-in-state' };
    else course.pdfOutcome = ATTACHED;
    const file = JSON.stringify(pdf.content);
    const { registrationOf } = course.judged.definition;
    const own = registrationOf?.(course.judged.asked) ?? null;
    const isOther = this.isRegistered && own !== null && own.number !== this.invoiceNumber;
    if (isOther && this.file !== null && this.file !== file) this.wrongFiles.push(file);
    if (silentPdf !== 'lost') this.file = file;
    this.snap();
    // A registration that an own command made becomes 350 by itself; one from before waits for its PATCH.
    const isOwn = course.progress.attempts.some(({ step }) => step === 'register');
    const isComplete = isOwn && this.isRegistered && this.isAttached;
    if (becomesInvoiced && isComplete && naturalRank(this.status) < naturalRank(ORDER_INVOICED)) {
      this.become(ORDER_INVOICED);
      this.notify(ORDER_INVOICED);
    }
  }

  #send(course: Course, change: Change): void {
    course.attempts += 1;
    this.#calls += 1;
    const isInvoice = change.kind === 'register';
    course.deadlineAtMs ??= this.nowMs + (isInvoice ? SETTINGS.invoiceMs : SETTINGS.deadlineMs);
    this.#firstCallMs ??= this.nowMs;
    const behind = naturalRank(this.known ?? 0);
    if (change.kind === 'status' && change.target === ORDER_INVOICED && behind > naturalRank(ORDER_INVOICED))
      this.setBack.push(this.known!);
    const attempt = { ...this.#marker(), step: change.kind, priceBefore: this.price };
    course.progress = withAttempt(course.progress, attempt);
    const { outage, refusedLate } = this.#start;
    if (this.#calls === 1 && refusedLate !== undefined) this.store(refusalFact(EARLIER, { eventType: refusedLate }));
    if (outage !== undefined && this.nowMs < this.#firstCallMs + outage.ms) {
      course.progress = withAnswer(course.progress, outage.answer);
      this.nowMs += 100;
      return;
    }
    const fate = course.fates[Math.min(course.sent.length, course.fates.length - 1)] ?? 'event';
    course.sent.push(fate);
    const operationId = `operation ${this.#calls}`;
    this.meet(change, fate, operationId, course, course.deadlineAtMs + LATE_MS);
    this.#answer(course, FATES[fate], operationId);
    this.nowMs += 100;
  }

  #answer(course: Course, { answer = 'accepted' }: FateOfCall, operationId: string): void {
    if (answer === 'crash') return;
    if (answer === 'unavailable') {
      course.attempts -= 1;
      if (course.attempts === 0) course.deadlineAtMs = null;
      course.progress = withoutLastAttempt(course.progress, 'throttled');
      this.nowMs += 1_000;
      return;
    }
    const answers: Readonly<Record<typeof answer, AttemptAnswer>> = {
      accepted: { kind: 'accepted', operationId },
      refused: { kind: 'refused', status: 400, message: '' },
      lost: { kind: 'unknown', cause: 'timeout' },
      '500': { kind: 'unknown', cause: 'server-error', status: 500 },
    };
    course.progress = withAnswer(course.progress, answers[answer]);
  }

  #read(course: Course, purpose: ReadPurpose): void {
    const fate = this.#readFates.shift() ?? 'event';
    if (this.#hasFailed(course, fate)) return;
    const at = this.now();
    const { status, isTold } = fate === 'refusal' ? { status: null, isTold: true } : this.#readStatus();
    const againInMs = isTold ? null : readAgainInMs(course.progress, purpose, at);
    course.progress =
      againInMs === null ? withRead(course.progress, { purpose, at, status }) : withStatuslessRead(course.progress, at);
    this.nowMs += againInMs ?? 0;
  }

  #readForWatch(watch: OrderWatch): void {
    this.#watch = { ...watch, at: this.now(), count: watch.count + 1 };
    this.#readStatus();
  }

  #hasFailed(course: Course, fate: Fate): boolean {
    const isPage = this.isPage();
    if (!isPage && fate !== '500' && fate !== 'time-out' && fate !== 'silence') return false;
    course.progress = withFailedRead(course.progress, isPage ? 'unreadable' : fate, this.now());
    this.nowMs += 1_000;
    return true;
  }

  #readPayload(course: Course, purpose: PayloadPurpose): void {
    const fate = this.#readFates.shift() ?? 'event';
    if (this.#hasFailed(course, fate)) return;
    const at = this.now();
    if (fate === 'refusal') {
      const refused = { kind: 'refused', price: null, registered: false } as const;
      course.progress = withPayload(course.progress, { purpose, at, ...refused });
      return;
    }
    const payload = this.payload();
    const isOld = isOutdated(foldFacts(this.facts), payload);
    const { price, invoices, attached } = isOld ? NOTHING_SHOWN : payload;
    const shown = { registered: invoices.length > 0, invoices, attached };
    course.progress = withPayload(course.progress, { purpose, at, kind: 'found', price, ...shown });
    this.#storeReading(payload, null);
  }

  /** Reads the status as `ReadOrder` does, and returns the one that its command believes, and whether it was told. */
  #readStatus(): { readonly status: number | null; readonly isTold: boolean } {
    const state = foldFacts(this.facts);
    const shown = this.shownStatus();
    const payload = shown === null || isOtherStatus(state, shown) ? this.payload() : null;
    const isTold = !isStatusless(state, { payload, status: shown });
    return { status: believedStatus(state, this.#storeReading(payload, shown)), isTold };
  }

  #storeReading(payload: Payload | null, status: number | null) {
    const state = foldFacts(this.facts);
    const { price: finalPrice } = this.shownLast();
    const order = dataOf(finalPrice);
    const lane = { id: '1', tenant: 'acme', kind: 'order', identity: '1', epoch: '1', failures: 0 };
    const known = { lane, orderNumber: '1', state, order, values: readOrderValues(order, 1), finalPrice };
    const asked = { at: this.now(), traceparent: TRACEPARENT };
    const { facts, doubted } = judgeRead(known, { payload, status }, asked, this.#watch?.doubted ?? null);
    this.#watch = watchOfDoubt(state, this.#watch, doubted, asked.at);
    for (const { content, ...fact } of facts) {
      this.storeReading({ ...fact, id: '0', error: null }, content !== null);
    }
    return facts;
  }

  #marker() {
    const fact = foldFacts(this.facts)!.statusFact!;
    const before = { status: fact.status!, ticks: String(fact.ticks), hash: fact.hash };
    return { at: this.now(), seenFactId: this.facts.at(-1)!.id, before };
  }
}
