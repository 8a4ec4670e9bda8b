import { describe, expect, it } from '@jest/globals';
import { FAULT_KINDS, type FaultKind } from '../../src/faults/fault.ts';
import { allFaults, LEFT_OUT } from './all-faults.ts';
import { problemsIn } from './books.ts';
import { effectsIn } from './replay.ts';
import type { AttemptRow, DeliveryRow, Evidence, FaultView, OperationRow, OrderView } from './evidence.ts';
import { keyOf, type Call } from './ledger.ts';
import { sha256Of } from './moody-receiver.ts';

type Doctored = { -readonly [K in keyof Evidence]: Evidence[K] };

const ITEM = JSON.stringify({ externalReference: 'p1', name: 'Queijo', longDescription: 'Queijo', punctuation: 7 });
const PATCH = JSON.stringify({ orderNumber: 9, status: 600 });
const LINE = { skuExternalReference: 'by-weight', quantity: '0.312', unitPriceCents: 3_990 };

function delivery(id: string, operationId: string, eventType: string, data: object): DeliveryRow {
  const body = Buffer.from(JSON.stringify({ operationId, eventType, data }));
  return {
    id,
    operationId,
    eventType,
    body,
    sha256: sha256Of(body),
    writtenAt: operationId,
    state: 'delivered',
    attempts: 1,
  };
}

const ORDER = { number: 9, subtotal: { total: 12.45 }, items: [] };
const NOTIFIED = [
  delivery('1', 'paid', 'Order_Updated', { ...ORDER, status: 300 }),
  delivery('2', 'op-1', 'ProductWithSKUs_Created', { product: { externalReference: 'p1' }, skus: [] }),
  delivery('3', 'op-2', 'Order_Updated', { ...ORDER, status: 600 }),
];
const APPLIED = { directive: {}, state: 'applied', dueAt: 10, endedAt: 10 };
const OPERATIONS: readonly OperationRow[] = [
  { seq: 1, operationId: 'op-1', kind: 'product', payload: ITEM, ...APPLIED },
  { seq: 2, operationId: 'op-2', kind: 'order-status', payload: PATCH, ...APPLIED },
];
const MOVE = JSON.stringify({ orderNumber: 9, from: 600, to: 300 });
const WAY_BACK: OperationRow = { seq: 3, operationId: 'op-3', kind: 'order-move', payload: MOVE, ...APPLIED };
const CALLS: readonly Call[] = [
  { key: keyOf('product', [ITEM]), outcome: 'accepted', operationId: 'op-1' },
  { key: keyOf('order-status', [PATCH]), outcome: 'unknown', operationId: null },
  { key: keyOf('order-status', [PATCH]), outcome: 'not-accepted', operationId: null },
];
const SHOWN: OrderView = {
  number: 9,
  status: 600,
  statusHistory: [{ status: 100 }, { status: 300 }, { status: 600 }],
  items: [{ skuExternalReference: 'by-weight', total: 12.45 }],
  totals: { total: 12.45 },
  invoice: null,
  invoiceFile: null,
};
const MODEL = { name: 'Queijo', longDescription: 'Queijo', similarTerms: null, punctuation: 7, active: true, skus: [] };

/** Evidence without contradictions: one product, one shipped order. */
const GOOD: Evidence = {
  calls: CALLS,
  placed: [{ number: 9, id: 'guid', payment: 'approved', lines: [LINE], steps: [] }],
  operations: OPERATIONS,
  deliveries: NOTIFIED,
  attempts: NOTIFIED.map(({ id }): AttemptRow => ({ deliveryId: id, attempt: 1, answer: 200 })),
  arrivals: NOTIFIED.map(({ sha256 }) => ({ sha256, answer: 200 })),
  deadLetters: [],
  products: new Map([['p1', { readModel: MODEL }]]),
  orders: new Map([[9, SHOWN]]),
  faults: [],
};

/** Each adds one wrong entry. */
const DOCTORED: Readonly<Record<string, (books: Doctored) => void>> = {
  'an accepted call without its operation': (books) => (books.calls = [...CALLS, CALLS[0]!]),
  'an operation without its call': (books) =>
    (books.operations = [...OPERATIONS, { ...OPERATIONS[1]!, operationId: 'op-3' }]),
  'an operation of a call that was refused': (books) => (books.calls = [CALLS[0]!, CALLS[2]!]),
  'an operation with another content than was sent': (books) =>
    (books.operations = [{ ...OPERATIONS[0]!, payload: ITEM.replace('7', '8') }, OPERATIONS[1]!]),
  'an operation that was not taken': (books) =>
    (books.operations = [OPERATIONS[0]!, { ...OPERATIONS[1]!, state: 'waiting' }]),
  'an operation at which the core failed': (books) =>
    (books.operations = [OPERATIONS[0]!, { ...OPERATIONS[1]!, state: 'crashed' }]),
  'a product that is not there': (books) => (books.products = new Map()),
  'a product that nobody sent': (books) => (books.products = new Map([...GOOD.products, ['p2', { readModel: MODEL }]])),
  'a value of a product that was not applied': (books) =>
    (books.products = new Map([['p1', { readModel: { ...MODEL, punctuation: 6 } }]])),
  'a SKU that nobody sent': (books) =>
    (books.products = new Map([['p1', { readModel: { ...MODEL, skus: [{ externalReference: 's', ean: '1' }] } }]])),
  'an order one cent off': (books) => (books.orders = new Map([[9, { ...SHOWN, totals: { total: 12.44 } }]])),
  'a line one cent off': (books) =>
    (books.orders = new Map([[9, { ...SHOWN, items: [{ skuExternalReference: 'by-weight', total: 12.46 }] }]])),
  'a status that was set twice': (books) =>
    (books.orders = new Map([[9, { ...SHOWN, statusHistory: [...SHOWN.statusHistory, { status: 600 }] }]])),
  'a status that was not set': (books) =>
    (books.orders = new Map([[9, { ...SHOWN, statusHistory: SHOWN.statusHistory.slice(0, 2) }]])),
  'an invoice that nobody registered': (books) =>
    (books.orders = new Map([[9, { ...SHOWN, invoice: { number: '1', value: 1 } }]])),
  'a notification that was never written': (books) => omit(books, '3'),
  'a notification without reason': (books) =>
    also(books, delivery('4', 'op-2', 'Order_Updated', { ...ORDER, status: 700 })),
  'a notification that was written twice': (books) =>
    also(books, delivery('4', 'op-2', 'Order_Updated', { ...ORDER, status: 600, updatedAt: 'later' })),
  'a notification one cent off': (books) => {
    omit(books, '3');
    also(books, delivery('4', 'op-2', 'Order_Updated', { ...ORDER, status: 600, subtotal: { total: 12.44 } }));
  },
  'a copy that no fault made': (books) => also(books, { ...NOTIFIED[2]!, id: '4' }),
  'bytes that cannot be read, and no fault that corrupted them': (books) => {
    omit(books, '3');
    also(books, corrupted(NOTIFIED[2]!));
  },
  'corrupted bytes of a notification that never was': (books) => {
    also(books, corrupted(NOTIFIED[2]!));
    books.faults = struck('webhook-corrupt');
  },
  'a fault that left no trace': (books) => (books.faults = struck('webhook-lose')),
  'lists that a fault was to empty': (books) => (books.faults = struck('null-lists')),
  'a notification without its lists, and no fault that emptied them': (books) =>
    replaced(books, { ...ORDER, items: null, status: 600 }),
  'a status that a fault was to write as text': (books) => (books.faults = struck('status-as-text')),
  'a status as text, and no fault that wrote it': (books) => replaced(books, { ...ORDER, status: '600' }),
  'a late call that was answered': (books) =>
    (books.operations = [{ ...OPERATIONS[0]!, directive: { lateMs: 5 } }, OPERATIONS[1]!]),
  'an operation that was taken before it was due': (books) =>
    (books.operations = [OPERATIONS[0]!, { ...OPERATIONS[1]!, endedAt: 9 }]),
  'an order that was to be put back': (books) =>
    (books.operations = [OPERATIONS[0]!, { ...OPERATIONS[1]!, directive: { reopenMs: 5 } }]),
  'an order that was put back, and no fault that did it': (books) => {
    reopened(books);
    books.operations = [...OPERATIONS, WAY_BACK];
  },
  'an order that was put back in silence': (books) => {
    reopened(books);
    omit(books, '4');
  },
  'an order that was put back and does not show it': (books) => {
    reopened(books);
    books.orders = GOOD.orders;
  },
  'a notification that nobody delivered': (books) =>
    (books.deliveries = [...NOTIFIED.slice(0, 2), { ...NOTIFIED[2]!, state: 'pending' }]),
  'an attempt after the first 2xx': (books) => {
    books.deliveries = [...NOTIFIED.slice(0, 2), { ...NOTIFIED[2]!, attempts: 2 }];
    books.attempts = [...GOOD.attempts, { deliveryId: '3', attempt: 2, answer: 200 }];
    books.arrivals = [...GOOD.arrivals, GOOD.arrivals[2]!];
  },
  'an attempt that is not in the log': (books) => (books.attempts = GOOD.attempts.slice(0, 2)),
  'an arrival that was not attempted': (books) => (books.arrivals = [...GOOD.arrivals, GOOD.arrivals[2]!]),
  'an attempt that never arrived and was answered': (books) => (books.arrivals = GOOD.arrivals.slice(0, 2)),
  'an answer that the receiver did not give': (books) =>
    (books.arrivals = [...GOOD.arrivals.slice(0, 2), { ...GOOD.arrivals[2]!, answer: 500 }]),
  'bytes that nobody wrote': (books) => (books.arrivals = [...GOOD.arrivals, { sha256: 'other', answer: 200 }]),
  'a notification that was given up after two attempts': (books) => (
    dead(books, 2),
    (books.deadLetters = [NOTIFIED[2]!.sha256])
  ),
  'a fourth attempt': (books) => (dead(books, 4), (books.deadLetters = [NOTIFIED[2]!.sha256])),
  'a dead notification that is not among the dead letters': (books) => dead(books, 3),
  'a dead letter that is not dead': (books) => (books.deadLetters = [NOTIFIED[2]!.sha256]),
};

function omit(books: Doctored, id: string): void {
  const left = books.deliveries.filter((row) => row.id !== id);
  books.deliveries = left;
  books.attempts = books.attempts.filter(({ deliveryId }) => deliveryId !== id);
  books.arrivals = books.arrivals.filter(({ sha256 }) => left.some((row) => row.sha256 === sha256));
}

function also(books: Doctored, row: DeliveryRow): void {
  books.deliveries = [...books.deliveries, row];
  books.attempts = [...books.attempts, { deliveryId: row.id, attempt: 1, answer: 200 }];
  books.arrivals = [...books.arrivals, { sha256: row.sha256, answer: 200 }];
}

function struck(kind: FaultKind): FaultView[] {
  return [{ fault: { kind, event: '.*' }, struck: 1 }];
}

/** Another body of the last notification. */
function replaced(books: Doctored, data: object): void {
  omit(books, '3');
  also(books, delivery('4', 'op-2', 'Order_Updated', data));
}

/** The shop puts the order back after its PATCH. */
function reopened(books: Doctored): void {
  books.operations = [OPERATIONS[0]!, { ...OPERATIONS[1]!, directive: { reopenMs: 5 } }, WAY_BACK];
  also(books, delivery('4', 'op-3', 'Order_Updated', { ...ORDER, status: 300 }));
  const statusHistory = [...SHOWN.statusHistory, { status: 300 }];
  books.orders = new Map([[9, { ...SHOWN, status: 300, statusHistory }]]);
}

function corrupted(row: DeliveryRow): DeliveryRow {
  const body = row.body.subarray(0, 20);
  return { ...row, id: '4', body, sha256: sha256Of(body) };
}

function dead(books: Doctored, attempts: number): void {
  const row = { ...NOTIFIED[2]!, state: 'dead', attempts };
  books.deliveries = [...NOTIFIED.slice(0, 2), row];
  const made = Array.from({ length: attempts }, (_, index) => ({ deliveryId: '3', attempt: index + 1, answer: 500 }));
  books.attempts = [...GOOD.attempts.slice(0, 2), ...made];
  books.arrivals = [...GOOD.arrivals.slice(0, 2), ...made.map(() => ({ sha256: row.sha256, answer: 500 }))];
}

describe('the faults of a run', () => {
  it('are all kinds but those that it cannot judge', () => {
    const kinds = new Set([...allFaults(1).map(({ kind }) => kind), ...LEFT_OUT]);
    expect([...kinds].toSorted()).toEqual(FAULT_KINDS.toSorted());
    expect(allFaults(1).filter(({ kind }) => LEFT_OUT.includes(kind))).toEqual([]);
  });
});

describe('the books of a run', () => {
  it('are consistent for a correct run', () => {
    expect(problemsIn(GOOD)).toEqual([]);
  });

  it('are consistent with a notification that is shown as given up after three attempts', () => {
    const books: Doctored = { ...GOOD };
    dead(books, 3);
    books.deadLetters = [NOTIFIED[2]!.sha256];
    expect(problemsIn(books)).toEqual([]);
  });

  it('are consistent with a notification that a fault corrupted', () => {
    const books: Doctored = { ...GOOD, faults: struck('webhook-corrupt') };
    omit(books, '3');
    also(books, corrupted(NOTIFIED[2]!));
    expect(problemsIn(books)).toEqual([]);
  });

  it('are consistent with an order that the shop put back', () => {
    const books: Doctored = { ...GOOD };
    reopened(books);
    expect(problemsIn(books)).toEqual([]);
    expect(effectsIn(books)).toMatchObject({ reopened: 1 });
    expect(effectsIn(GOOD)).toMatchObject({ reopened: 0 });
  });

  it('are consistent with an order that had gone on before the shop could put it back', () => {
    const books: Doctored = { ...GOOD };
    const delivered = JSON.stringify({ orderNumber: 9, status: 700 });
    const next = { seq: 4, operationId: 'op-4', kind: 'order-status', payload: delivered, ...APPLIED };
    books.calls = [...CALLS, { key: keyOf('order-status', [delivered]), outcome: 'accepted', operationId: 'op-4' }];
    books.operations = [OPERATIONS[0]!, { ...OPERATIONS[1]!, directive: { reopenMs: 5 } }, next, WAY_BACK];
    also(books, delivery('4', 'op-4', 'Order_Updated', { ...ORDER, status: 700 }));
    const statusHistory = [...SHOWN.statusHistory, { status: 700 }];
    books.orders = new Map([[9, { ...SHOWN, status: 700, statusHistory }]]);
    expect(problemsIn(books)).toEqual([]);
    expect(effectsIn(books)).toMatchObject({ reopened: 0 });
  });

  it('are consistent with a late call that a newer one overtook', () => {
    const late = { ...OPERATIONS[1]!, directive: { lateMs: 5 } };
    const books: Doctored = { ...GOOD, operations: [{ ...OPERATIONS[0]!, seq: 3 }, late] };
    expect(problemsIn(books)).toEqual([]);
    expect(effectsIn(books).overtaken).toBe(1);
    expect(effectsIn({ ...books, operations: [OPERATIONS[0]!, late] }).overtaken).toBe(0);
  });

  it.each([
    ['status-as-text', { ...ORDER, status: '600' }],
    ['null-lists', { ...ORDER, items: null, status: 600 }],
  ] as const)(
    'are consistent with a notification that %s changed, also where its bytes were corrupted',
    (kind, data) => {
      const books: Doctored = { ...GOOD, faults: struck(kind) };
      replaced(books, data);
      expect(problemsIn(books)).toEqual([]);
      omit(books, '4');
      also(books, corrupted(NOTIFIED[2]!));
      books.faults = [...struck(kind), ...struck('webhook-corrupt')];
      expect(problemsIn(books)).toEqual([]);
    },
  );

  it.each(Object.entries(DOCTORED))('are inconsistent with %s', (_, doctor) => {
    const books: Doctored = { ...GOOD };
    doctor(books);
    expect(problemsIn(books)).not.toEqual([]);
  });
});
