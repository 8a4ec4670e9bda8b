import { type AttemptAnswer, withAnswer, withAttempt } from '@gondola/shared/commands/attempts';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { OperationReport } from '../../src/notifications/operation-report.ts';
import type { RecordAttempt } from '../../src/records/record-attempts.ts';
import { type OpenValue, planValues, type ValueContext, type ValueEnd } from '../../src/values/plan-values.ts';
import {
  afterValue,
  NEW_VALUE_LANE,
  type ValueLaneState,
  type ValueProgress,
} from '../../src/values/value-lane-state.ts';
import { contextAt, freshValue, situationOf } from './value-samples.ts';

/** Fate of one call; shares are of the longest possible time. */
export type ValueCall =
  /** Carried out at once. */
  | { readonly kind: 'accepted' }
  /** Accepted, and refused by the core, which says so. */
  | { readonly kind: 'failed' }
  /** Refused at once. */
  | { readonly kind: 'refused' }
  /** Ended without an answer after a share of its time-out, by a crash or not; carried out `landsAfter`, or never. */
  | {
      readonly kind: 'lost';
      readonly lasts: number;
      readonly landsAfter: number | null;
      readonly crashed: boolean;
    };

export interface Arrival {
  readonly afterMs: number;
  readonly price: number;
}

/** Steps that a lane makes within its deadlines, many times over. */
const MOST_STEPS = 2_000;

/** After all that happens. */
const END_MS = Number.MAX_SAFE_INTEGER;

/** The lane of one price, played by a clock, against a shop that carries lost calls out late. */
export class SimulatedValueLane {
  /** The shop's price; null before the first. */
  shop: number | null = null;
  state: ValueLaneState = NEW_VALUE_LANE;
  /** Outcome of each record, by its place among the arrivals. */
  readonly outcomes = new Map<number, FinalOutcome>();
  #nowMs = 0;
  #open: OpenValue[] = [];
  readonly #landings: { readonly atMs: number; readonly price: number }[] = [];
  readonly #reports: OperationReport[] = [];
  readonly #firstSentMs = new Map<string, number>();
  readonly #calls: ValueCall[];
  readonly #arrivals: { readonly atMs: number; readonly value: OpenValue }[] = [];
  #operations = 0;

  /** Calls beyond the given ones are accepted. */
  constructor(arrivals: readonly Arrival[], calls: readonly ValueCall[]) {
    this.#calls = [...calls];
    let atMs = 0;
    for (const [index, { afterMs, price }] of arrivals.entries()) {
      atMs += afterMs;
      this.#arrivals.push({ atMs, value: freshValue(String(index), price) });
    }
  }

  /** Plays all arrivals until nothing is open, and all lost calls have landed. */
  run(): this {
    for (let steps = 0; ; steps += 1) {
      if (steps > MOST_STEPS) throw new Error(`the lane does not come to rest at ${this.#nowMs} ms`);
      const dueMs = this.#step();
      const arrivesMs = this.#arrivals[0]?.atMs ?? Infinity;
      const nextMs = Math.min(dueMs, arrivesMs);
      if (nextMs === Infinity) break;
      this.#pass(Math.max(nextMs, this.#nowMs));
    }
    if (this.#open.length > 0) throw new Error('the lane sleeps although records are open');
    this.#pass(END_MS);
    return this;
  }

  /** One step of the lane; returns when the next is due. */
  #step(): number {
    const context = contextAt(this.#nowMs);
    const values = this.#open.map((each) => ({ ...each, deadlineInMs: this.#deadlineInMs(each, context) }));
    const situation = situationOf(values, { state: this.state, reports: this.#reports });
    const { ends, head, dueInMs, catchUpToMs } = planValues(situation, context);
    if (ends.length > 0) {
      for (const end of ends) this.#end(end);
      return this.#nowMs;
    }
    const dueMs = this.#nowMs + Math.min(dueInMs ?? Infinity, catchUpToMs === null ? Infinity : 0);
    if (head === null) return dueMs;
    if (head.next.kind === 'wait') return Math.min(dueMs, this.#nowMs + head.next.ms);
    if (head.next.kind !== 'send') throw new Error('the SKU of the price is known');
    this.#send(head.id, head.next.progress, context);
    return this.#nowMs;
  }

  #deadlineInMs({ id }: OpenValue, { settings }: ValueContext): number | null {
    const firstMs = this.#firstSentMs.get(id);
    return firstMs === undefined ? null : firstMs + settings.deadlineMs - this.#nowMs;
  }

  #end(end: ValueEnd): void {
    const { id, conclusion, ...ended } = end;
    const at = new Date(contextAt(this.#nowMs).nowMs).toISOString();
    this.state = afterValue(this.state, { ...ended, settled: null, at });
    if (this.outcomes.has(Number(id))) throw new Error(`record ${id} ends twice`);
    this.outcomes.set(Number(id), conclusion.outcome);
    this.#open = this.#open.filter((each) => each.id !== id);
  }

  #send(id: string, progress: ValueProgress, { nowMs, settings }: ValueContext): void {
    const call = this.#calls.shift() ?? { kind: 'accepted' };
    if (!this.#firstSentMs.has(id)) this.#firstSentMs.set(id, this.#nowMs);
    const attempt: Omit<RecordAttempt, 'answer'> = {
      at: new Date(nowMs).toISOString(),
      seenReportId: '0',
      shared: true,
    };
    const price = Number(progress.body['price']);
    const answered = withAnswer(withAttempt(progress, attempt), this.#answer(call, price, settings.timeoutMs));
    this.#open = this.#open.map((each) => (each.id === id ? { ...each, progress: answered } : each));
  }

  #answer(call: ValueCall, price: number, timeoutMs: number): AttemptAnswer {
    this.#operations += 1;
    const operationId = `op-${this.#operations}`;
    const at = (): string => new Date(contextAt(this.#nowMs).nowMs).toISOString();
    switch (call.kind) {
      case 'accepted':
        this.shop = price;
        return { kind: 'accepted', operationId, at: at() };
      case 'failed': {
        const id = String(this.#operations);
        const entity = { kind: 'price', externalReference: 'guid-1/p' } as const;
        this.#reports.push({ id, operationId, entity, failed: true, error: { statusCode: 422, message: '{}' } });
        return { kind: 'accepted', operationId, at: at() };
      }
      case 'refused':
        return { kind: 'refused', status: 400, message: '{}' };
      default: {
        const startMs = this.#nowMs;
        const endMs = startMs + call.lasts * timeoutMs;
        const landsMs = endMs + (call.landsAfter ?? Infinity) * 3 * timeoutMs;
        if (landsMs < Infinity) this.#landings.push({ atMs: landsMs, price });
        this.#pass(endMs);
        return call.crashed ? { kind: 'pending' } : { kind: 'unknown', cause: 'timeout', at: at() };
      }
    }
  }

  /** Time passes: records arrive, and lost calls are carried out. */
  #pass(untilMs: number): void {
    while ((this.#arrivals[0]?.atMs ?? Infinity) <= untilMs) this.#open.push(this.#arrivals.shift()!.value);
    this.#landings.sort((one, other) => one.atMs - other.atMs);
    while ((this.#landings[0]?.atMs ?? Infinity) <= untilMs) this.shop = this.#landings.shift()!.price;
    this.#nowMs = untilMs;
  }
}
