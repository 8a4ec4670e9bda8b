import type { Clock } from '../runtime/clock.service.ts';
import { Heap } from '../store/heap.ts';
import type { Store, Table } from '../store/store.service.ts';

interface Attempt {
  readonly at: number;
  /** Null while it is under way; rises in the order in which attempts end. */
  readonly seq: number | null;
  /** The HTTP status; null without an answer. */
  readonly answer: number | null;
}

/** One notification to one webhook. `lost`: a fault prevented its delivery. */
export interface Delivery {
  readonly seq: number;
  /** `seq` of the first of the copies of one notification. */
  readonly group: number;
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly eventType: string;
  readonly orderNumber: number | null;
  readonly status: number | null;
  readonly reference: string | null;
  readonly state: 'pending' | 'delivered' | 'dead' | 'lost';
  readonly createdAt: number;
  readonly dueAt: number;
  readonly endedAt: number | null;
  readonly attempts: readonly Attempt[];
}

export interface NewDelivery extends Pick<
  Delivery,
  'operationId' | 'contractAccountId' | 'eventType' | 'orderNumber' | 'status' | 'reference'
> {
  readonly body: Buffer;
  readonly copies: number;
  readonly delayMs: number;
  /** Stored, but never sent. */
  readonly lost: boolean;
}

/** The queue of the webhook sender, and what became of each notification. */
export class Deliveries {
  readonly table: Table<number, Delivery>;
  /** Delivery of each attempt that has ended. */
  readonly byAttempt = new Map<number, number>();
  private readonly byOperation = new Map<string, Set<number>>();
  /** Bytes of the bodies as Latin-1 text: all attempts send the same. */
  private readonly bodies: Table<number, string>;
  private readonly due = new Heap<Delivery>((one, other) => one.dueAt - other.dueAt || one.seq - other.seq);
  private pendingCount = 0;
  private lastAttempt = 0;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {
    this.table = store.table('deliveries');
    this.bodies = store.table('bodies');
    this.table.watch((seq, after, before) => this.follow(seq, after, before));
  }

  get pending(): number {
    return this.pendingCount;
  }

  /** `seq` of the attempt that ended last. */
  get newestAttempt(): number {
    return this.lastAttempt;
  }

  add({ body, copies, delayMs, lost, ...about }: NewDelivery): number {
    const createdAt = this.clock.now();
    const group = this.store.next('deliveries');
    const times = { createdAt, dueAt: createdAt + delayMs, endedAt: lost ? createdAt : null };
    for (let copy = 0; copy < copies; copy += 1) {
      const seq = copy === 0 ? group : this.store.next('deliveries');
      this.bodies.put(seq, body.toString('latin1'));
      this.table.put(seq, { seq, group, ...about, state: lost ? 'lost' : 'pending', ...times, attempts: [] });
    }
    return group;
  }

  bodyOf(seq: number): Buffer {
    return Buffer.from(this.bodies.get(seq) ?? '', 'latin1');
  }

  ofOperation(operationId: string): Delivery[] {
    return [...(this.byOperation.get(operationId) ?? [])].flatMap((seq) => this.table.get(seq) ?? []);
  }

  /** Takes the delivery that is longest due from the queue. */
  nextDue(): Delivery | undefined {
    for (let next = this.due.first; next !== undefined; next = this.due.first) {
      if (next.dueAt > this.clock.now()) return undefined;
      this.due.pop();
      const delivery = this.table.get(next.seq);
      if (delivery?.state === 'pending') return delivery;
    }
    return undefined;
  }

  /** Milliseconds until the next one is due; undefined without one. */
  get nextDueInMs(): number | undefined {
    const { first } = this.due;
    return first && Math.max(0, first.dueAt - this.clock.now());
  }

  /** Puts a delivery back into the queue whose attempt was interrupted. */
  requeue(seq: number): void {
    const delivery = this.table.get(seq);
    if (delivery?.state === 'pending') this.due.push(delivery);
  }

  /** Stores the beginning of an attempt, so that a crash never causes a fourth. */
  beginAttempt(seq: number): void {
    this.change(seq, ({ attempts }) => ({
      attempts: [...attempts, { at: this.clock.now(), seq: null, answer: null }],
    }));
  }

  /** Ends the attempt that is under way. */
  endAttempt(seq: number, answer: number | null, state: Delivery['state']): void {
    this.change(seq, ({ attempts }) => ({
      attempts: attempts.map((attempt) =>
        attempt.seq === null ? { ...attempt, seq: this.nextAttempt(), answer } : attempt,
      ),
      ...this.ended(state),
    }));
  }

  end(seq: number, state: Delivery['state']): void {
    this.change(seq, () => this.ended(state));
  }

  /** After a crash: closes attempts with an unknown result, without an answer. */
  endForgottenAttempts(): void {
    this.store.unit(() => {
      for (const { seq, state } of [...this.table.values()].filter(isOpen)) this.endAttempt(seq, null, state);
    });
  }

  remove(seq: number): void {
    this.table.delete(seq);
    this.bodies.delete(seq);
  }

  clear(): void {
    this.table.clear();
    this.bodies.clear();
  }

  private nextAttempt(): number {
    return this.store.next('attempts');
  }

  private ended(state: Delivery['state']): Pick<Delivery, 'state' | 'endedAt'> {
    return { state, endedAt: state === 'pending' ? null : this.clock.now() };
  }

  private change(seq: number, changes: (delivery: Delivery) => Partial<Delivery>): void {
    const delivery = this.table.get(seq);
    if (delivery) this.table.put(seq, { ...delivery, ...changes(delivery) });
  }

  private follow(seq: number, after: Delivery | undefined, before: Delivery | undefined): void {
    if (before?.state === 'pending') this.pendingCount -= 1;
    if (after?.state === 'pending') this.pendingCount += 1;
    if (after?.state === 'pending' && before === undefined) this.due.push(after);
    for (const attempt of after ? [] : (before?.attempts ?? []))
      if (attempt.seq !== null) this.byAttempt.delete(attempt.seq);
    for (const attempt of after?.attempts ?? []) {
      if (attempt.seq === null) continue;
      this.byAttempt.set(attempt.seq, seq);
      this.lastAttempt = Math.max(this.lastAttempt, attempt.seq);
    }
    if (after && !before) {
      const ofOperation = this.byOperation.get(after.operationId) ?? new Set();
      this.byOperation.set(after.operationId, ofOperation.add(seq));
    }
    if (before && !after) {
      const ofOperation = this.byOperation.get(before.operationId);
      ofOperation?.delete(seq);
      if (ofOperation?.size === 0) this.byOperation.delete(before.operationId);
    }
  }
}

function isOpen({ attempts }: Delivery): boolean {
  return attempts.some(({ seq }) => seq === null);
}
