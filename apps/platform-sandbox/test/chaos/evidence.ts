import { entriesIn } from '../../src/store/journal.adapter.ts';
import type { Operation } from '../../src/core/operation.ts';
import type { Fault } from '../../src/faults/fault.ts';
import type { Delivery } from '../../src/webhooks/deliveries.service.ts';
import type { PlacedOrder } from './errands.ts';
import type { Call } from './ledger.ts';
import { sha256Of, type Arrival } from './moody-receiver.ts';

/** Everything that a run left behind, for the checks. */
export interface Evidence {
  /** As the client recorded them. */
  readonly calls: readonly Call[];
  readonly placed: readonly PlacedOrder[];
  /** In the order in which the core took them. */
  readonly operations: readonly OperationRow[];
  readonly deliveries: readonly DeliveryRow[];
  readonly attempts: readonly AttemptRow[];
  /** As the receiver recorded them. */
  readonly arrivals: readonly Arrival[];
  /** Digests of the bodies in the admin API's dead letters. */
  readonly deadLetters: readonly string[];
  /** As the shop shows them, by reference. */
  readonly products: ReadonlyMap<string, ProductView>;
  readonly orders: ReadonlyMap<number, OrderView>;
  /** Faults of calls and of notifications apart, as the admin API shows them. */
  readonly faults: readonly FaultView[];
}

export interface FaultView {
  readonly fault: Fault;
  readonly struck: number;
}

export interface OperationRow {
  /** Position in the order of acceptance. */
  readonly seq: number;
  readonly operationId: string;
  readonly kind: string;
  readonly payload: string;
  readonly directive: {
    readonly silent?: boolean;
    readonly refuseStatus?: number;
    readonly lateMs?: number;
    readonly reopenMs?: number;
  };
  readonly state: string;
  readonly dueAt: number;
  readonly endedAt: number | null;
}

export interface DeliveryRow {
  readonly id: string;
  readonly operationId: string;
  readonly eventType: string;
  readonly body: Buffer;
  readonly sha256: string;
  /** Equal for copies of one notification. */
  readonly writtenAt: string;
  readonly state: string;
  readonly attempts: number;
}

export interface AttemptRow {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly answer: number | null;
}

export interface ProductView {
  readonly readModel: Readonly<Record<string, unknown>> & {
    readonly skus: readonly Readonly<Record<string, unknown>>[];
  };
}

export interface OrderView {
  readonly number: number;
  readonly status: number;
  readonly statusHistory: readonly { readonly status: number }[];
  readonly items: readonly { readonly skuExternalReference: string; readonly total: number }[];
  readonly totals: { readonly total: number };
  readonly invoice: { readonly number: string; readonly value: number } | null;
  readonly invoiceFile: { readonly uploads: number } | null;
}

/** Records of the core and of the sender, from the journal of the sandbox: it has each unit of work in its order. */
export async function recordsOf(folder: string): Promise<Pick<Evidence, 'operations' | 'deliveries' | 'attempts'>> {
  const accepted = new Map<number, Operation>();
  const taken = new Map<number, Operation>();
  const deliveries = new Map<number, Delivery>();
  const bodies = new Map<number, Buffer>();
  for (const [table, key, row] of await entriesIn(folder)) {
    const seq = Number(key);
    if (table === 'operations') {
      const operation = row as Operation;
      if (operation.state === 'waiting') accepted.set(seq, operation);
      else taken.set(seq, { ...operation, payload: accepted.get(seq)?.payload ?? '' });
    }
    if (table === 'deliveries') deliveries.set(seq, row as Delivery);
    if (table === 'bodies') bodies.set(seq, Buffer.from(row as string, 'latin1'));
  }
  const waiting = [...accepted.values()].filter(({ seq }) => !taken.has(seq));
  const sent = [...deliveries.values()].toSorted((one, other) => one.seq - other.seq);
  return {
    // In the order in which the core took them.
    operations: [...taken.values(), ...waiting],
    deliveries: sent.map(({ seq, operationId, eventType, state, attempts, group }) => {
      const body = bodies.get(seq) ?? Buffer.alloc(0);
      const about = {
        id: String(seq),
        operationId,
        eventType,
        state,
        attempts: attempts.length,
        writtenAt: String(group),
      };
      return { ...about, body, sha256: sha256Of(body) };
    }),
    attempts: sent.flatMap(({ seq, attempts }) =>
      attempts.map(({ answer }, index) => ({ deliveryId: String(seq), attempt: index + 1, answer })),
    ),
  };
}
