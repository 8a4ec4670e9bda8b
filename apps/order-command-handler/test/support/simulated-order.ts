import { operationIdsOf, withAnswer, withAttempt, withoutLastAttempt } from '@gondola/shared/commands/attempts';
import { finalResult } from '@gondola/shared/results/command-results';
import { type CommandProgress, NOT_STARTED, type ReadPurpose, withRead } from '../../src/commands/command-progress.ts';
import { rememberUnconfirmed } from '../../src/commands/corrections.ts';
import type { UnconfirmedCommand } from '../../src/orders/order-row.ts';
import type { ConcludedCommand } from '../../src/lanes/concluded-command.ts';
import { type LanePlan, planLane } from '../../src/lanes/lane-plan.ts';
import type { OrderFact } from '../../src/facts/order-fact.ts';
import { foldFacts, statusOf } from '../../src/facts/order-state.ts';
import { unknownOrderValues } from '../../src/facts/order-values.ts';
import { judgeCommand } from '../../src/commands/read-command.ts';
import { statusReadingFact } from '../../src/lanes/reading-facts.ts';
import { NOTHING_PUBLISHED, type PublishedState } from '../../src/orders/published-state.ts';
import { COMMAND_SETTINGS, NOTHING_LOADED } from './command-settings.ts';
import { refusalFact, stateFact } from './facts.ts';

/** Fate of a PATCH. A crash ends the process after its attempt was stored. */
export type PatchFate =
  | 'applied'
  | 'applied, answer lost'
  | 'applied, crash'
  /** The answer is lost, and the call is applied some steps later. */
  | 'late, answer lost'
  | 'lost'
  | 'crash'
  | 'refused'
  | 'refused by event'
  | 'silent'
  | 'unavailable';

/** Fate of a notification: it arrives after a number of steps, twice, or never. */
export interface Delivery {
  readonly afterSteps: number;
  readonly doubled: boolean;
  readonly lost: boolean;
}

/** Long enough for a reading to find nothing yet. */
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const LATE_STEPS = 3;
const JUDGED = judgeCommand(
  { commandId: 'c', command: 'StartPreparation', orderNumber: 1 },
  { language: 'pt-BR', units: {} },
);
const START_MS = Date.parse('2026-11-20T13:00:00Z');

/**
 * One paid order, one StartPreparation, and a platform that goes by a script: the lane's steps without database, Kafka
 * and HTTP.
 */
export class SimulatedOrder {
  readonly history: number[] = [300];
  readonly ends: (ConcludedCommand & { /** The platform's, at that time. */ readonly status: number })[] = [];
  /** Fates of the PATCHes. */
  readonly sent: PatchFate[] = [];
  attempts = 0;
  #nowMs = START_MS;
  #facts: OrderFact[] = [];
  #published: PublishedState = NOTHING_PUBLISHED;
  #progress: CommandProgress = NOT_STARTED;
  #deadlineAtMs: number | null = null;
  #unconfirmed: readonly UnconfirmedCommand[] = [];
  #underWay: { fact: OrderFact; steps: number }[] = [];
  #late: { operationId: string; steps: number }[] = [];
  #operations = 0;
  readonly #fates: PatchFate[];
  readonly #deliveries: Delivery[];

  constructor(fates: readonly PatchFate[], deliveries: readonly Delivery[]) {
    this.#fates = [...fates];
    this.#deliveries = [...deliveries];
    this.#facts.push(stateFact(300, this.#localTime()));
  }

  get status(): number {
    return this.history.at(-1)!;
  }

  get published(): PublishedState {
    return this.#published;
  }

  /** State of the stored facts. */
  get known(): number | null {
    const state = foldFacts(this.#facts);
    return state === null ? null : statusOf(state);
  }

  /** The platform moves the order on by itself. */
  move(status: number): void {
    this.#nowMs += 60_000;
    this.history.push(status);
    this.#notify(stateFact(status, this.#localTime()));
  }

  /** Steps until the command has ended, and then until nothing is under way any more. */
  run(): void {
    for (
      let step = 0;
      step < 200 && (this.ends.length === 0 || this.#underWay.length + this.#late.length > 0);
      step += 1
    )
      this.#step();
    this.#step();
  }

  #step(): void {
    this.#applyLate();
    this.#deliver();
    const state = foldFacts(this.#facts);
    const head = {
      commandId: 'c',
      judged: JUDGED,
      progress: this.#progress,
      deadlineInMs: this.#deadlineInMs(),
      pdfCheck: null,
      pdfOutcome: null,
      traceparent: TRACEPARENT,
      named: null,
    };
    const plan = planLane(
      {
        ...NOTHING_LOADED,
        state,
        values: unknownOrderValues(1, null),
        row: { ...NOTHING_LOADED.row, published: this.#published, unconfirmed: this.#unconfirmed },
        heads: this.ends.length === 0 ? [head] : [],
      },
      { nowMs: this.#nowMs, isLagging: false },
      { language: 'pt-BR', settings: COMMAND_SETTINGS },
    );
    this.#save(plan);
    const [call] = plan.calls;
    if (call?.kind === 'send') this.#patch();
    else if (call?.kind === 'read') this.#read(call.purpose);
    else this.#nowMs += Math.max(plan.dueInMs ?? 0, 1_000);
  }

  #save({ published, concluded: [end], corrections }: LanePlan): void {
    this.#published = published;
    this.#unconfirmed = this.#unconfirmed.filter((each) =>
      corrections.every(({ unconfirmed }) => unconfirmed !== each),
    );
    if (end === undefined) return;
    this.ends.push({ ...end, status: this.status });
    const subject = {
      tenant: 'acme',
      inputTopic: 'erp.orders.commands.v1',
      commandId: 'c',
      command: 'StartPreparation',
      entity: { kind: 'order', orderNumber: 1 },
      receivedAt: '2026-11-20T13:00:00Z',
    } as const;
    const result = finalResult(subject, end.conclusion, {
      time: '2026-11-20T13:00:00Z',
      attempts: this.attempts,
      operationIds: operationIdsOf(this.#progress),
    });
    this.#unconfirmed = [...this.#unconfirmed, ...rememberUnconfirmed(result, JUDGED, TRACEPARENT)];
  }

  #patch(): void {
    const fate = this.#fates.shift() ?? 'applied';
    this.sent.push(fate);
    const fact = foldFacts(this.#facts)!.statusFact!;
    const before = { status: fact.status!, ticks: String(fact.ticks), hash: fact.hash };
    const attempt = { at: new Date(this.#nowMs).toISOString(), seenFactId: this.#facts.at(-1)!.id, before };
    const written = { ...attempt, step: 'status', priceBefore: null } as const;
    this.attempts += 1;
    this.#deadlineAtMs ??= this.#nowMs + COMMAND_SETTINGS.deadlineMs;
    this.#progress = withAttempt(this.#progress, written);
    this.#operations += 1;
    const operationId = `operation ${this.#operations}`;
    if (fate.startsWith('applied')) this.#apply(operationId);
    if (fate.startsWith('late')) this.#late.push({ operationId, steps: LATE_STEPS });
    if (fate === 'refused by event') this.#notify(refusalFact(operationId));
    this.#answer(fate, operationId);
  }

  #answer(fate: PatchFate, operationId: string): void {
    if (fate.endsWith('crash')) return;
    if (fate === 'unavailable') {
      this.attempts -= 1;
      if (this.attempts === 0) this.#deadlineAtMs = null;
      this.#progress = withoutLastAttempt(this.#progress, 'throttled');
      this.#nowMs += 1_000;
    } else if (fate.endsWith('lost')) {
      this.#progress = withAnswer(this.#progress, { kind: 'unknown', cause: 'timeout' });
    } else if (fate === 'refused') {
      this.#progress = withAnswer(this.#progress, { kind: 'refused', status: 400, message: '' });
    } else {
      this.#progress = withAnswer(this.#progress, { kind: 'accepted', operationId });
    }
  }

  /** The platform refuses to set a status that the order has. */
  #apply(operationId: string): void {
    this.#nowMs += 100;
    if (this.status === 400) {
      this.#notify(refusalFact(operationId));
      return;
    }
    this.history.push(400);
    this.#notify(stateFact(400, this.#localTime(), { operationId }));
  }

  #applyLate(): void {
    const due = this.#late.filter(({ steps }) => steps <= 0);
    this.#late = this.#late.filter(({ steps }) => steps > 0).map((each) => ({ ...each, steps: each.steps - 1 }));
    for (const { operationId } of due) this.#apply(operationId);
  }

  #read(purpose: ReadPurpose): void {
    const askedAt = new Date(this.#nowMs).toISOString();
    this.#progress = withRead(this.#progress, { purpose, at: askedAt, status: this.status });
    if (this.known === this.status) return;
    const reading = {
      tenant: 'acme',
      orderNumber: '1',
      status: this.status,
      askedAt,
      beganAtMs: this.#nowMs,
      known: this.#facts,
      traceparent: TRACEPARENT,
    };
    const { status, ticks, hash, source, eventType } = statusReadingFact(reading);
    this.#facts.push(
      stateFact(status ?? 0, null, { ticks, hash, source, eventType, operationId: null, hasItems: false }),
    );
  }

  #notify(fact: OrderFact): void {
    const { afterSteps, doubled, lost } = this.#deliveries.shift() ?? { afterSteps: 0, doubled: false, lost: false };
    if (lost) return;
    this.#underWay.push({ fact, steps: afterSteps });
    if (doubled) this.#underWay.push({ fact, steps: afterSteps + 1 });
  }

  /** Stores an arriving fact once and gives it its id. */
  #deliver(): void {
    const due = this.#underWay.filter(({ steps }) => steps <= 0);
    this.#underWay = this.#underWay
      .filter(({ steps }) => steps > 0)
      .map(({ fact, steps }) => ({ fact, steps: steps - 1 }));
    for (const { fact } of due) {
      const isKnown = this.#facts.some(
        ({ hash, operationId }) => hash === fact.hash && operationId === fact.operationId,
      );
      if (!isKnown) this.#facts.push({ ...fact, id: String(Number(this.#facts.at(-1)!.id) + 1) });
    }
  }

  #deadlineInMs(): number | null {
    return this.#deadlineAtMs === null ? null : this.#deadlineAtMs - this.#nowMs;
  }

  #localTime(): string {
    return new Date(this.#nowMs - 3 * 3_600_000).toISOString().slice(0, -1);
  }
}
