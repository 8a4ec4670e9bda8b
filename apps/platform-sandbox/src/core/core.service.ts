import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../runtime/clock.service.ts';
import type { Ids } from '../runtime/ids.service.ts';
import type { Signals } from '../runtime/signals.ts';
import { Heap } from '../store/heap.ts';
import type { Store, Table } from '../store/store.service.ts';
import { parseExact } from '../values/exact-json.ts';
import {
  directiveOfItem,
  type AcceptedCall,
  type CoreDirective,
  type NewOperation,
  type Operation,
} from './operation.ts';

export interface Accepted {
  readonly operationId: string;
}

/** Takes an accepted item of one kind, within a unit of work. */
export type CoreStep = (operation: Operation) => void;

export interface CoreServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly signals: Signals;
  readonly logger: Logger;
}

/** Every new operation gives a signal and later due times are known; this interval is only a safety net. */
const LOOK_AGAIN_MS = 120_000;
/** Time after which the core lets calls and deliveries go on. */
const SLICE_MS = 10;

/**
 * The core: takes accepted operations, the oldest due one first, each in a unit of work that applies it, writes its
 * notifications and marks it as finished. A process that dies in between has done all of a unit or nothing of it.
 */
export class Core {
  readonly operations: Table<number, Operation>;
  /** By operation id, in the order of acceptance. */
  readonly calls = new Map<string, AcceptedCall>();
  private readonly steps = new Map<string, CoreStep>();
  private readonly due = new Heap<number>((one, other) => one - other);
  private readonly later = new Heap<Operation>((one, other) => one.dueAt - other.dueAt || one.seq - other.seq);
  private waitingCount = 0;
  private newestSeq = 0;
  private running: Promise<void> | undefined;
  private isStopping = false;

  constructor(private readonly services: CoreServices) {
    this.operations = services.store.table('operations');
    this.operations.watch((seq, after, before) => this.follow(seq, after, before));
  }

  get waiting(): number {
    return this.waitingCount;
  }

  /** The operation that was accepted last; 0 without one. */
  get newest(): number {
    return this.newestSeq;
  }

  /** The oldest operation that waits, due or not; null without one. */
  get oldestWaiting(): number | null {
    for (const { seq, state } of this.operations.values()) if (state === 'waiting') return seq;
    return null;
  }

  /** Determines the step for operations of a kind. */
  take(kind: string, step: CoreStep): void {
    this.steps.set(kind, step);
  }

  /**
   * The integration API's side of an asynchronous call: it validates nothing, queues everything and answers with an
   * operation id (docs/platform.md, "Behaviour rules" 1 and 2). `beside` belongs to the same unit of work.
   */
  accept(
    { contractAccountId, directive = {} }: { readonly contractAccountId: string; readonly directive?: CoreDirective },
    kind: string,
    items: readonly unknown[],
    beside: () => void = () => {},
  ): Accepted {
    const operationId = this.services.ids.newGuid();
    const payloads = items.map((item) => JSON.stringify(item));
    this.services.store.unit(() => {
      beside();
      this.queue({ operationId, contractAccountId, kind, payloads, directive, delayMs: directive.lateMs ?? 0 });
    });
    return { operationId };
  }

  /**
   * A late call is taken so many milliseconds from now, once it is known that its caller has gone. One that is due
   * already is not put off: the core may have taken half of its items.
   */
  land(operationId: string, delayMs: number): void {
    const { store, clock, signals } = this.services;
    const now = clock.now();
    const waiting = this.late(operationId).filter(({ dueAt }) => dueAt > now);
    store.unit(() => {
      for (const operation of waiting) this.operations.put(operation.seq, { ...operation, dueAt: now + delayMs });
    });
    signals.core.give();
  }

  /** Forgets late calls that are still to be carried out; within a unit of work. */
  forgetLate(): void {
    for (const { seq } of this.late()) this.operations.delete(seq);
  }

  private late(operationId?: string): Operation[] {
    if (operationId !== undefined && !this.calls.has(operationId)) return [];
    return [...this.operations.values()].filter(
      ({ operationId: id, state, directive }) =>
        state === 'waiting' && directive.lateMs !== undefined && (operationId === undefined || id === operationId),
    );
  }

  /** Queues operations within a unit of work. */
  queue({ operationId, contractAccountId, kind, payloads, directive, delayMs = 0 }: NewOperation): void {
    const { store, clock, signals } = this.services;
    const acceptedAt = clock.now();
    for (const payload of payloads) {
      const seq = store.next('operations');
      const times = { acceptedAt, endedAt: null, dueAt: acceptedAt + delayMs };
      const operation = { seq, operationId, contractAccountId, kind, payload, directive, ...times };
      this.operations.put(seq, { ...operation, state: 'waiting' });
    }
    signals.core.give();
  }

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.services.signals.core.give();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isStopping) {
      const wake = this.services.signals.core.next();
      const waitMs = this.takeSome();
      this.services.signals.sender.give();
      this.services.signals.rest.give();
      if (waitMs > 0) await this.services.clock.atMost(waitMs, wake);
      else await turn();
    }
  }

  /** Takes due operations for a while; returns the milliseconds until the next look, 0 if more are due. */
  private takeSome(): number {
    const until = performance.now() + SLICE_MS;
    while (performance.now() < until) {
      const operation = this.nextDue();
      if (operation === undefined) {
        const next = this.later.first;
        return next === undefined
          ? LOOK_AGAIN_MS
          : Math.max(1, Math.min(LOOK_AGAIN_MS, next.dueAt - this.services.clock.now()));
      }
      this.takeOne(operation);
    }
    return 0;
  }

  private nextDue(): Operation | undefined {
    const now = this.services.clock.now();
    for (let next = this.later.first; next !== undefined && next.dueAt <= now; next = this.later.first) {
      this.later.pop();
      // A late call whose caller left has another due time by now.
      if (this.operations.get(next.seq)?.dueAt === next.dueAt) this.due.push(next.seq);
    }
    for (let seq = this.due.pop(); seq !== undefined; seq = this.due.pop()) {
      const operation = this.operations.get(seq);
      if (operation?.state === 'waiting') return operation;
    }
    return undefined;
  }

  private takeOne(operation: Operation): void {
    const { store, logger } = this.services;
    const { operationId, kind } = operation;
    try {
      store.unit(() => {
        const directive = directiveOfItem(operation.directive, () => parseExact(operation.payload));
        const isSilent = directive.silent === true;
        if (!isSilent) this.stepOf(kind)({ ...operation, directive });
        this.end(operation, isSilent ? 'silent' : 'applied');
      });
    } catch (err) {
      // The core's own 500: no notification (only a 4xx makes a failure event), and the queue continues.
      logger.error({ err, operationId, kind }, 'The core failed at an operation');
      store.unit(() => this.end(operation, 'crashed'));
    }
  }

  private stepOf(kind: string): CoreStep {
    const step = this.steps.get(kind);
    if (step === undefined) throw new Error(`No step of the core takes operations of kind ${kind}`);
    return step;
  }

  private end(operation: Operation, state: Operation['state']): void {
    this.operations.put(operation.seq, { ...operation, payload: '', state, endedAt: this.services.clock.now() });
  }

  private follow(seq: number, after: Operation | undefined, before: Operation | undefined): void {
    this.newestSeq = Math.max(this.newestSeq, seq);
    if (before) this.count(before, -1);
    if (after) this.count(after, 1);
    if (after?.state !== 'waiting') return;
    if (before?.state === 'waiting' && before.dueAt === after.dueAt) return;
    if (after.dueAt > after.acceptedAt) this.later.push(after);
    else this.due.push(seq);
  }

  private count(operation: Operation, by: 1 | -1): void {
    const { seq, operationId, contractAccountId, kind, acceptedAt, endedAt, state } = operation;
    const counts = { items: 0, waiting: 0, applied: 0, silent: 0, crashed: 0 };
    const call = this.calls.get(operationId) ?? {
      seq,
      operationId,
      contractAccountId,
      kind,
      acceptedAt,
      endedAt,
      ...counts,
    };
    call.items += by;
    call[state] += by;
    if (endedAt !== null) call.endedAt = Math.max(call.endedAt ?? 0, endedAt);
    if (state === 'waiting') this.waitingCount += by;
    if (call.items === 0 && state !== 'waiting') this.calls.delete(operationId);
    else this.calls.set(operationId, call);
  }
}
