import {
  type AttemptAnswer,
  operationIdsOf,
  withAnswer,
  withAttempt,
  withoutLastAttempt,
} from '@gondola/shared/commands/attempts';
import type { ShownInvoice } from '@gondola/platform-client/read-answers';
import type { Digits, JsonRecord } from '@gondola/shared/json/json-digits';
import {
  CANCELLATION_ANALYSIS,
  CLOSED_TO_COMMANDS,
  naturalRank,
  ORDER_CANCELLED,
  ORDER_INVOICED,
  VALUES_RECALCULATED,
} from '@gondola/shared/orders/order-statuses';
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
import type { UnconfirmedCommand } from '../../src/orders/order-row.ts';
import type { NamedTarget } from '../../src/commands/decision.ts';
import { judgeCommand } from '../../src/commands/read-command.ts';
import type { PdfCheck, PdfOutcome } from '../../src/pdf-results/pdf-outcome.ts';
import type { ConcludedCommand } from '../../src/lanes/concluded-command.ts';
import { type LanePlan, planLane } from '../../src/lanes/lane-plan.ts';
import { attemptsOf, type HeadCommand } from '../../src/lanes/lane-situation.ts';
import type { OrderFact } from '../../src/facts/order-fact.ts';
import { NO_OPEN_STEPS, type OpenSteps } from '../../src/orders/order-row.ts';
import type { OrderWatch } from '../../src/orders/order-row.ts';
import type { PendingEvent } from '../../src/orders/order-event.ts';
import { foldFacts, statusOf } from '../../src/facts/order-state.ts';
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
import { refusalFact, stateFact } from './facts.ts';
import { payloadOf } from './shown-payload.ts';

const MINUTE_MS = 60_000;

interface FateOfCall {
  /** Becomes of the call at the platform; default nothing. */
  readonly does?: 'apply' | 'refuse' | 'cancel';
  /** Time until then; `late`: just after the deadline. Default 0. */
  readonly afterMs?: number | 'late';
  /** Time until the notification of what was carried out; null: none ever. Default 0. */
  readonly notifiedMs?: number | null;
  /** `crash`: the process ends before it stores one. Default `accepted`. */
  readonly answer?: 'accepted' | 'refused' | 'lost' | '500' | 'crash' | 'unavailable';
}

const FATES = {
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

const START_MS = Date.parse('2026-11-20T13:00:00Z');
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const REFUSALS: Readonly<Record<Change['kind'], string>> = {
  status: 'Order_StatusUpdateFailed',
  picking: 'Operation_Failed',
  register: 'Operation_Failed',
  cancel: 'Order_CancelFailed',
};
const ATTACHED: PdfOutcome = { outcome: 'applied', evidence: 'read-back', reason: null, platform: null, attempts: 1 };
const FIRST_INVOICE = '{"number":"1","issuanceDate":"2026-11-20T13:00:00Z","value":null}';
const FIRST_PDF = '{"uploadId":"u"}';
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

const AT_ONCE: Delivery = { afterMs: 0, doubled: false, lost: false };

/** The shop's way with invoices, where the document says nothing. */
export interface InvoicesOfShop {
  /** A second invoice takes the place of the first; false: it is refused. Default true. */
  readonly replaces?: boolean;
  /** How a payload shows the registered invoice. Default `named`. */
  readonly shows?: 'named' | 'unnamed' | 'nothing';
}

/** An order before its command: how the platform has it. */
export interface CourseStart {
  readonly status?: number;
  /** True: the invoice with the number 1. */
  readonly registered?: boolean;
  readonly shop?: InvoicesOfShop;
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
  /** Commands of the order that follow. */
  readonly next?: readonly PlayedCommand[];
  /** Fates of the notifications, in their order; all further ones arrive at once. */
  readonly deliveries?: readonly Delivery[];
  /** False: an invoice that is complete needs its PATCH. Default true. */
  readonly becomesInvoiced?: boolean;
  /** The first command's record is not valid any more from this step of the lane on. */
  readonly unreadableFrom?: number;
  /** The file gateway hears nothing of its upload, whatever became of the PDF. Default: it hears of it. */
  readonly silentPdf?: 'attached' | 'lost';
  /** Default: reads show what is. */
  readonly reads?: ReadWorld;
}

export interface PlayedCommand {
  readonly record: JsonRecord;
  /** Of its changing calls, in their order; the last one is that of all further ones. */
  readonly fates: readonly Fate[];
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

const TRUE_READS: ReadWorld = { statusLagMs: 0, payloadLagMs: 0, shows1300: false, pages: [] };

/** The order as the platform had it at a time. */
interface Snapshot {
  readonly atMs: number;
  readonly status: number;
  readonly price: string;
  readonly invoices: readonly ShownInvoice[];
  readonly attached: boolean;
  readonly updatedMs: number;
  readonly is1300: boolean;
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

function dataOf(price: string | null): JsonRecord {
  return { items: [{ skuId: 's-1' }], subtotal: { total: Number(price) } };
}

/** A local time of the platform. */
function localText(ms: number): string {
  return new Date(ms - 3 * 3_600_000).toISOString().slice(0, -1);
}

/** A command on its way to its end. */
class Course {
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

/**
 * One order, its commands of any kind, and a platform that treats their calls by their fates: the lane's steps without
 * database, Kafka and HTTP. Time passes only where the lane waits.
 */
export class SimulatedCourse {
  readonly commands: readonly Course[];
  /** Outcomes of the earlier command's corrections. */
  readonly corrected: string[] = [];
  readonly events: PendingEvent[] = [];
  /** Each status that the ERP was told, by an event or a result. */
  readonly told: number[] = [];
  /** Each status that the platform has had. */
  readonly history: number[] = [];
  /** Calls that the core has refused, and whose answers were lost. */
  namelessRefusals = 0;
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
  readonly #priceOf = new Map<string, string>();
  /** Facts whose payload shows a PDF. */
  readonly #filesOf = new Set<string>();
  readonly #invoicesOf = new Map<string, readonly ShownInvoice[]>();
  #facts: OrderFact[] = [];
  #published: PublishedState = NOTHING_PUBLISHED;
  #watch: OrderWatch | null = null;
  #openSteps: OpenSteps = NO_OPEN_STEPS;
  /** Later actions of the platform. */
  #later: { readonly atMs: number; readonly run: () => void }[] = [];
  #nowMs = START_MS;
  #firstCallMs: number | null = null;
  #calls = 0;
  #steps = 0;
  #status: number;
  #price = '12.45';
  /** The body of the registered invoice. */
  #invoice: string | null;
  /** The content of its PDF. */
  #file: string | null;
  /** Date of the order at the platform. */
  #updatedMs = START_MS;
  #is1300 = false;
  readonly #snapshots: Snapshot[] = [];
  readonly #pages: boolean[];
  readonly #stray1300: boolean[];
  readonly #deliveries: Delivery[] = [];

  /**
   * Its changing calls have these fates, in their order; the last one is that of all further ones. Reads are answered,
   * but those of a command that only reads have these fates, and then are answered.
   */
  constructor(record: JsonRecord, fates: readonly Fate[], start: CourseStart = {}) {
    const {
      status = 300,
      registered = false,
      attached = false,
      paid = true,
      lost,
      named,
      next = [],
      deliveries = [],
    } = start;
    this.#start = start;
    this.#unconfirmed = start.refusedLate === undefined ? [] : [UNCONFIRMED];
    this.#pastOperationIds = start.refusedLate === undefined ? [] : [EARLIER];
    this.commands = [{ record, fates }, ...next].map(
      (each, index) => new Course(each, index === 0 ? 'c' : `next-${index}`, index === 0 ? (named ?? null) : null),
    );
    this.#readFates = this.first.judged.definition.change === null ? [...fates] : [];
    this.#status = status;
    this.#invoice = registered ? FIRST_INVOICE : null;
    this.#file = attached ? FIRST_PDF : null;
    if (paid) this.#notify(300);
    if (status !== 300) this.#notify(status);
    this.#status = lost ?? status;
    this.#pages = [...(start.reads?.pages ?? [])];
    this.#stray1300 = [...(start.reads?.stray1300 ?? [])];
    this.#snap();
    this.#deliveries.push(...deliveries);
    this.history.push(
      ...(paid ? [300] : []),
      ...(status === 300 ? [] : [status]),
      ...(lost === undefined ? [] : [lost]),
    );
  }

  /** The order's status at the platform. */
  get status(): number {
    return this.#status;
  }

  get published(): PublishedState {
    return this.#published;
  }

  /** The status that is known of the order. */
  get known(): number | null {
    const state = foldFacts(this.#facts);
    return state === null ? null : statusOf(state);
  }

  get first(): Course {
    return this.commands[0]!;
  }

  /** The first command's conclusion; null while it is open. */
  get end(): ConcludedCommand['conclusion'] | null {
    return this.first.end;
  }

  get isRegistered(): boolean {
    return this.#invoice !== null;
  }

  get isAttached(): boolean {
    return this.#file !== null;
  }

  /** Number of the registered invoice; null for none. */
  get invoiceNumber(): string | null {
    return this.#invoice === null ? null : (JSON.parse(this.#invoice) as { number: string }).number;
  }

  /** The content of its PDF; null for none. */
  get file(): string | null {
    return this.#file;
  }

  get attempts(): number {
    return this.first.attempts;
  }

  /** Calls that the platform has carried out. */
  get effects(): number {
    return this.commands.reduce((sum, { effects }) => sum + effects, 0);
  }

  /** The platform moves the order on by itself. */
  move(status: number): void {
    this.#nowMs += MINUTE_MS;
    this.#become(status);
    this.#notify(status);
  }

  /** Steps until all commands have ended, and nothing is under way any more. */
  run(): this {
    const isUnderWay = () => this.#later.length > 0 || this.commands.some(({ ends }) => ends.length === 0);
    for (let step = 0; step < MAX_STEPS && isUnderWay(); step += 1) this.#step();
    // A fact of the last step is published by the next one.
    for (let known = -1; known !== this.#facts.length;) {
      known = this.#facts.length;
      this.#step();
      this.#step();
    }
    return this;
  }

  #step(): void {
    this.#steps += 1;
    this.first.isUnreadable ||= this.#steps > (this.#start.unreadableFrom ?? Infinity);
    this.#runDue();
    const finalPrice = this.#knownPrice();
    const heads = this.#heads();
    const before = this.#published;
    const plan = planLane(
      {
        ...NOTHING_LOADED,
        state: foldFacts(this.#facts),
        values: readOrderValues(dataOf(finalPrice), 1),
        skus: [
          { skuExternalReference: '4711-1', skuId: 's-1', productId: null, ean: null, reference: null, name: null },
        ],
        finalPrice,
        showsPdf: this.#filesOf.has(this.#newestFact()?.hash ?? ''),
        shownInvoices: this.#invoicesOf.get(this.#newestFact()?.hash ?? '') ?? [],
        row: {
          ...NOTHING_LOADED.row,
          published: before,
          unconfirmed: this.#unconfirmed,
          pastOperationIds: this.#pastOperationIds,
          watch: this.#watch,
          openSteps: this.#openSteps,
        },
        heads: heads.map((each) => each.head(this.#nowMs)),
      },
      { nowMs: this.#nowMs, isLagging: false },
      { language: 'en', settings: SETTINGS },
    );
    this.#save(before, plan);
    this.#askGateway(plan);
    const [call] = plan.calls;
    if (call === undefined) this.#wait(plan.dueInMs);
    else if (call.kind === 'watch') this.#readForWatch(call.watch);
    else {
      const course = this.commands.find(({ commandId }) => commandId === call.commandId)!;
      if (call.kind === 'send') this.#send(course, call.change);
      else if (call.kind === 'read') this.#read(course, call.purpose);
      else this.#readPayload(course, call.purpose);
    }
  }

  #knownPrice(): string | null {
    return this.#priceOf.get(this.#newestFact()?.hash ?? '') ?? null;
  }

  #newestFact(): OrderFact | null {
    const state = foldFacts(this.#facts);
    return state?.payloadFact ?? state?.valuesFact ?? null;
  }

  /** The oldest open command of each queue; `main` comes last. */
  #heads(): Course[] {
    const open = this.commands.filter(({ ends }) => ends.length === 0);
    const byQueue = Map.groupBy(open, ({ judged }) => judged.definition.queue);
    return [...byQueue.values()].flatMap(([head]) => head ?? []).toReversed();
  }

  #save(before: PublishedState, plan: LanePlan): void {
    this.#published = plan.published;
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
    const result = finalResult({ ...subject, receivedAt: this.#now() }, conclusion, {
      time: this.#now(),
      attempts: attemptsOf(course.head(this.#nowMs)),
      operationIds,
    });
    this.#unconfirmed = [...this.#unconfirmed, ...rememberUnconfirmed(result, TRACEPARENT)];
    this.#pastOperationIds = [...this.#pastOperationIds, ...operationIds];
  }

  #isShown({ definition, asked }: Course['judged']): boolean {
    if (definition.target === VALUES_RECALCULATED)
      return moneyText((asked as { readonly finalOrderPrice: Digits }).finalOrderPrice) === this.#price;
    return definition.target === ORDER_INVOICED ? this.isRegistered : this.#status === definition.target;
  }

  #askGateway({ pdf }: LanePlan): void {
    if (pdf === null) return;
    const course = this.commands.find(({ commandId }) => commandId === pdf.commandId)!;
    if (pdf.orderId === null) {
      this.pdfChecks += 1;
      course.progress = withPdfCheckAsked(course.progress, this.#now());
      course.pdfCheck = { kind: 'good', untilMs: Infinity };
      return;
    }
    course.progress = withPdfAsked(course.progress, this.#marker());
    course.deadlineAtMs ??= this.#nowMs + SETTINGS.invoiceMs;
    const { silentPdf, becomesInvoiced = true } = this.#start;
    this.pdfUploads += 1;
    if (silentPdf !== undefined) course.pdfOutcome = { ...ATTACHED, outcome: 'unconfirmed', evidence: 'none' };
    else if (this.#file === JSON.stringify(pdf.content))
      course.pdfOutcome = { ...ATTACHED, outcome: 'unchanged', evidence: 'already-in-state' };
    else course.pdfOutcome = ATTACHED;
    const file = JSON.stringify(pdf.content);
    const { registrationOf } = course.judged.definition;
    const own = registrationOf?.(course.judged.asked) ?? null;
    const isOther = this.isRegistered && own !== null && own.number !== this.invoiceNumber;
    if (isOther && this.#file !== null && this.#file !== file) this.wrongFiles.push(file);
    if (silentPdf !== 'lost') this.#file = file;
    this.#snap();
    // A registration that an own command made becomes 350 by itself; one from before waits for its PATCH.
    const isOwn = course.progress.attempts.some(({ step }) => step === 'register');
    const isComplete = isOwn && this.isRegistered && this.isAttached;
    if (becomesInvoiced && isComplete && naturalRank(this.#status) < naturalRank(ORDER_INVOICED)) {
      this.#become(ORDER_INVOICED);
      this.#notify(ORDER_INVOICED);
    }
  }

  #send(course: Course, change: Change): void {
    course.attempts += 1;
    this.#calls += 1;
    const isInvoice = change.kind === 'register';
    course.deadlineAtMs ??= this.#nowMs + (isInvoice ? SETTINGS.invoiceMs : SETTINGS.deadlineMs);
    this.#firstCallMs ??= this.#nowMs;
    const behind = naturalRank(this.known ?? 0);
    if (change.kind === 'status' && change.target === ORDER_INVOICED && behind > naturalRank(ORDER_INVOICED))
      this.setBack.push(this.known!);
    const attempt = { ...this.#marker(), step: change.kind, priceBefore: this.#price };
    course.progress = withAttempt(course.progress, attempt);
    const { outage, refusedLate } = this.#start;
    if (this.#calls === 1 && refusedLate !== undefined) this.#store(refusalFact(EARLIER, { eventType: refusedLate }));
    if (outage !== undefined && this.#nowMs < this.#firstCallMs + outage.ms) {
      course.progress = withAnswer(course.progress, outage.answer);
      this.#nowMs += 100;
      return;
    }
    const fate = course.fates[Math.min(course.sent.length, course.fates.length - 1)] ?? 'event';
    course.sent.push(fate);
    const operationId = `operation ${this.#calls}`;
    this.#meet(course, change, FATES[fate], operationId);
    this.#answer(course, FATES[fate], operationId);
    this.#nowMs += 100;
  }

  #meet(
    course: Course,
    change: Change,
    { does, afterMs = 0, notifiedMs = 0, answer }: FateOfCall,
    operationId: string,
  ): void {
    const refuse = () => {
      course.refusals += 1;
      if (answer !== undefined) this.namelessRefusals += 1;
      this.#deliver(refusalFact(operationId, { eventType: REFUSALS[change.kind] }));
    };
    const isClosed = () => CLOSED_TO_COMMANDS.has(this.#status);
    const isSo = () => change.kind === 'status' && change.target === this.#status;
    const acts = {
      refuse,
      // The platform refuses to set a status that the order has.
      apply: () =>
        isClosed() || isSo() || this.#isSecond(change)
          ? refuse()
          : this.#apply(course, change, operationId, notifiedMs),
      cancel: () => {
        if (isClosed()) return;
        this.#become(ORDER_CANCELLED);
        this.#notify(ORDER_CANCELLED);
      },
    };
    if (does === undefined) return;
    const inMs = afterMs === 'late' ? course.deadlineAtMs! - this.#nowMs + LATE_MS : afterMs;
    if (inMs === 0 && does !== 'refuse') acts[does]();
    else this.#later.push({ atMs: this.#nowMs + inMs, run: acts[does] });
  }

  #answer(course: Course, { answer = 'accepted' }: FateOfCall, operationId: string): void {
    if (answer === 'crash') return;
    if (answer === 'unavailable') {
      course.attempts -= 1;
      if (course.attempts === 0) course.deadlineAtMs = null;
      course.progress = withoutLastAttempt(course.progress, 'throttled');
      this.#nowMs += 1_000;
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

  #apply(course: Course, change: Change, operationId: string, notifiedMs: number | null): void {
    this.#nowMs += 100;
    this.#touch();
    course.effects += 1;
    if (change.kind === 'register') this.#invoice = change.body;
    if (change.kind === 'picking') this.#price = moneyText(change.finalOrderPrice) ?? this.#price;
    this.#snap();
    if (change.kind === 'status') this.#become(change.target);
    const notify = (status: number) => {
      if (notifiedMs !== null) this.#notify(status, operationId, notifiedMs);
    };
    if (change.kind === 'cancel') {
      this.#become(CANCELLATION_ANALYSIS);
      notify(CANCELLATION_ANALYSIS);
      this.#become(ORDER_CANCELLED);
    }
    if (change.kind !== 'register') notify(change.kind === 'picking' ? VALUES_RECALCULATED : this.#status);
  }

  #become(status: number): void {
    this.#touch();
    this.#status = status;
    this.#is1300 = false;
    this.#snap();
    this.history.push(status);
  }

  /** Passes the time until the lane is due, or the platform does something. */
  #wait(dueInMs: number | null): void {
    const next = Math.min(...this.#later.map(({ atMs }) => Math.max(atMs - this.#nowMs, 0)));
    this.#nowMs += Math.min(Math.max(dueInMs ?? 0, 1_000), next);
    if (dueInMs === null && next !== Infinity)
      this.#nowMs = Math.max(this.#nowMs, Math.min(...this.#later.map(({ atMs }) => atMs)));
  }

  #runDue(): void {
    const due = this.#later.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#later = this.#later.filter(({ atMs }) => atMs > this.#nowMs);
    for (const { run } of due) run();
  }

  #read(course: Course, purpose: ReadPurpose): void {
    const fate = this.#readFates.shift() ?? 'event';
    if (this.#hasFailed(course, fate)) return;
    const at = this.#now();
    const { status, isTold } = fate === 'refusal' ? { status: null, isTold: true } : this.#readStatus();
    const againInMs = isTold ? null : readAgainInMs(course.progress, purpose, at);
    course.progress =
      againInMs === null ? withRead(course.progress, { purpose, at, status }) : withStatuslessRead(course.progress, at);
    this.#nowMs += againInMs ?? 0;
  }

  #readForWatch(watch: OrderWatch): void {
    this.#watch = { ...watch, at: this.#now(), count: watch.count + 1 };
    this.#readStatus();
  }

  #hasFailed(course: Course, fate: Fate): boolean {
    const isPage = this.#pages.shift() === true;
    if (!isPage && fate !== '500' && fate !== 'time-out' && fate !== 'silence') return false;
    course.progress = withFailedRead(course.progress, isPage ? 'unreadable' : fate, this.#now());
    this.#nowMs += 1_000;
    return true;
  }

  #readPayload(course: Course, purpose: PayloadPurpose): void {
    const fate = this.#readFates.shift() ?? 'event';
    if (this.#hasFailed(course, fate)) return;
    const at = this.#now();
    if (fate === 'refusal') {
      const refused = { kind: 'refused', price: null, registered: false } as const;
      course.progress = withPayload(course.progress, { purpose, at, ...refused });
      return;
    }
    const payload = this.#payload();
    const isOld = isOutdated(foldFacts(this.#facts), payload);
    const { price, invoices, attached } = isOld ? { price: null, invoices: [], attached: false } : payload;
    const shown = { registered: invoices.length > 0, invoices, attached };
    course.progress = withPayload(course.progress, { purpose, at, kind: 'found', price, ...shown });
    this.#storeReading(payload, null);
  }

  /** True for an invoice that the shop does not take in place of another. */
  #isSecond(change: Change): boolean {
    const { replaces = true } = this.#start.shop ?? {};
    return change.kind === 'register' && !replaces && this.#invoice !== null && this.#invoice !== change.body;
  }

  #shownInvoices(): readonly ShownInvoice[] {
    const { shows = 'named' } = this.#start.shop ?? {};
    if (this.#invoice === null || shows === 'nothing') return [];
    if (shows === 'unnamed') return [{ number: null, issuedAt: null, value: null }];
    const { number, issuanceDate, value } = JSON.parse(this.#invoice) as Record<string, string | null>;
    return [{ number: number!, issuedAt: issuanceDate!, value: value === null ? null : moneyText(value) }];
  }

  /** Reads the status as `ReadOrder` does, and returns the one that its command believes, and whether it was told. */
  #readStatus(): { readonly status: number | null; readonly isTold: boolean } {
    const state = foldFacts(this.#facts);
    const { statusLagMs, shows1300 } = this.#reads;
    const { status, is1300 } = this.#asOf(statusLagMs);
    const isStray = this.#stray1300.shift() === true;
    const shown = isStray || (shows1300 && is1300) ? null : status;
    const payload = shown === null || isOtherStatus(state, shown) ? this.#payload() : null;
    const isTold = !isStatusless(state, { payload, status: shown });
    return { status: believedStatus(state, this.#storeReading(payload, shown)), isTold };
  }

  get #reads(): ReadWorld {
    return this.#start.reads ?? TRUE_READS;
  }

  #payload(): Payload {
    const { payloadLagMs, shows1300 } = this.#reads;
    const { status, price, invoices, attached, updatedMs, is1300 } = this.#asOf(payloadLagMs);
    const code = shows1300 && is1300 ? VALUES_RECALCULATED : status;
    const data = { ...dataOf(price), number: 1, status: code, updatedAt: localText(updatedMs) };
    return payloadOf(data, { price, invoices, attached });
  }

  #asOf(lagMs: number): Snapshot {
    return this.#snapshots.findLast(({ atMs }) => atMs <= this.#nowMs - lagMs) ?? this.#snapshots[0]!;
  }

  #snap(): void {
    this.#snapshots.push({
      atMs: this.#nowMs,
      status: this.#status,
      price: this.#price,
      invoices: this.#shownInvoices(),
      attached: this.isRegistered && this.isAttached,
      updatedMs: this.#updatedMs,
      is1300: this.#is1300,
    });
  }

  #storeReading(payload: Payload | null, status: number | null) {
    const state = foldFacts(this.#facts);
    const finalPrice = this.#knownPrice();
    const order = dataOf(finalPrice);
    const lane = { id: '1', tenant: 'acme', kind: 'order', identity: '1', epoch: '1', failures: 0 };
    const known = { lane, orderNumber: '1', state, order, values: readOrderValues(order, 1), finalPrice };
    const asked = { at: this.#now(), traceparent: TRACEPARENT };
    const { facts, doubted } = judgeRead(known, { payload, status }, asked, this.#watch?.doubted ?? null);
    this.#watch = watchOfDoubt(state, this.#watch, doubted, asked.at);
    for (const { content, ...fact } of facts) {
      if (content !== null) this.#know(fact.hash);
      this.#snap();
      this.#store({ ...fact, id: '0', error: null });
    }
    return facts;
  }

  /** The order changes at the platform. */
  #touch(): void {
    this.#nowMs += 1;
    this.#updatedMs = this.#nowMs;
  }

  #notify(status: number, operationId: string | null = null, inMs = 0): void {
    this.#nowMs += 1_000;
    this.#touch();
    this.#snap();
    const fact = stateFact(status, localText(this.#updatedMs), { operationId });
    this.#know(fact.hash);
    this.#deliver(fact, inMs);
  }

  #know(hash: string): void {
    this.#priceOf.set(hash, this.#price);
    this.#invoicesOf.set(hash, this.#shownInvoices());
    if (this.isRegistered && this.isAttached) this.#filesOf.add(hash);
  }

  /** A fact that arrives again is stored once. */
  #deliver(fact: OrderFact, inMs = 0): void {
    const { afterMs, doubled, lost } = this.#deliveries.shift() ?? AT_ONCE;
    if (lost) return;
    const { hash, operationId } = fact;
    const isKnown = () => this.#facts.some((each) => each.hash === hash && each.operationId === operationId);
    const arrive = () => {
      if (!isKnown()) this.#store(fact);
    };
    const ms = inMs + afterMs;
    if (ms === 0) arrive();
    else this.#later.push({ atMs: this.#nowMs + ms, run: arrive });
    if (doubled) this.#later.push({ atMs: this.#nowMs + ms + 1_000, run: arrive });
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
