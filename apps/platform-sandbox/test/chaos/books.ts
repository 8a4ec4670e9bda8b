import { deliveryProblems, notificationProblems } from './books-of-deliveries.ts';
import type { Evidence, OperationRow } from './evidence.ts';
import { keyOf } from './ledger.ts';
import { statusOf, totalCents, type ModelOrder } from './model-orders.ts';
import type { ModelProduct } from './model-products.ts';
import { lineCents } from './planned-orders.ts';
import { replay } from './replay.ts';

/**
 * Checks the evidence of a run; each line of the result is a contradiction. The rules:
 *
 * 1. each accepted call is one operation, each call that was not accepted is none, and every operation has its call;
 *    a late one was not answered;
 * 2. the core took every operation, none before it was due, and products and orders are the result of these
 *    operations, taken one after the other;
 * 3. each notification that this implies was written once, and no other;
 * 4. each was attempted at most three times, with the same bytes, up to the first 2xx, and one that no attempt
 *    delivered is a dead letter.
 */
export function problemsIn(evidence: Evidence): string[] {
  const replayed = replay(evidence);
  return [
    ...acceptanceProblems(evidence),
    ...coreProblems(evidence),
    ...moveProblems(evidence.operations, replayed.moves),
    ...[...replayed.products].flatMap(([reference, model]) => productProblems(evidence, reference, model)),
    ...[...evidence.products.keys()]
      .filter((reference) => !replayed.products.has(reference))
      .map((reference) => `product ${reference}: is there, and no accepted item made it`),
    ...[...replayed.orders].flatMap(([number, model]) => orderProblems(evidence, number, model)),
    ...notificationProblems(evidence, replayed.notified),
    ...deliveryProblems(evidence),
  ];
}

function acceptanceProblems({ calls, operations }: Evidence): string[] {
  const batches = new Map<string, OperationRow[]>();
  for (const row of operations.filter(({ kind }) => kind !== 'order-move')) {
    batches.set(row.operationId, [...(batches.get(row.operationId) ?? []), row]);
  }
  const keys = new Map<string, string>();
  const found = new Map<string, number>();
  for (const [operationId, rows] of batches) {
    const key = keyOf(rows[0]?.kind ?? '', rows.map(payloadKey));
    keys.set(operationId, key);
    found.set(key, (found.get(key) ?? 0) + 1);
  }
  const problems: string[] = [];
  for (const { key, outcome, operationId } of calls) {
    if (operationId !== null && batches.get(operationId)?.some(({ directive }) => directive.lateMs !== undefined)) {
      problems.push(`operation ${operationId}: was late and was answered: ${brief(key)}`);
    }
    if (outcome === 'accepted' && operationId !== null && keys.get(operationId) !== key) {
      problems.push(`operation ${operationId}: was accepted and is not what was sent: ${brief(key)}`);
    }
  }
  const byKey = Map.groupBy(calls, (call) => call.key);
  for (const key of new Set([...found.keys(), ...byKey.keys()])) {
    const of = byKey.get(key) ?? [];
    const least = of.filter(({ outcome }) => outcome === 'accepted').length;
    const most = least + of.filter(({ outcome }) => outcome === 'unknown').length;
    const count = found.get(key) ?? 0;
    if (count < least) problems.push(`lost: ${least} accepted and ${count} taken of ${brief(key)}`);
    if (count > most) problems.push(`doubled: ${most} calls at most and ${count} taken of ${brief(key)}`);
  }
  return problems;
}

/** Key of a payload. Files have random ids, so an invoice's file is known by its order. */
function payloadKey({ kind, payload }: OperationRow): string {
  return kind === 'invoice-file' ? (JSON.parse(payload) as { orderId: string }).orderId : payload;
}

function coreProblems({ operations }: Evidence): string[] {
  return operations.flatMap(({ operationId, kind, state, directive, dueAt, endedAt }) => [
    ...(state === (directive.silent === true ? 'silent' : 'applied')
      ? []
      : [`operation ${operationId}: ${kind} is ${state}`]),
    ...(endedAt !== null && endedAt < dueAt ? [`operation ${operationId}: ${kind} was taken before it was due`] : []),
  ]);
}

function moveProblems(operations: readonly OperationRow[], expected: readonly string[]): string[] {
  const queued = operations
    .filter(({ kind }) => kind === 'order-move')
    .map(({ payload }) => JSON.parse(payload) as { orderNumber: number; from: number; to: number })
    .map(({ orderNumber, from, to }) => `${orderNumber} ${from} ${to}`);
  return differences(expected, queued).map((difference) => `move of the platform ${difference}`);
}

function productProblems({ products }: Evidence, reference: string, model: ModelProduct): string[] {
  const shown = products.get(reference)?.readModel;
  if (shown === undefined) return [`product ${reference}: its item was accepted and it is not there`];
  const wanted = ['name', 'punctuation', 'similarTerms', 'longDescription'].filter(
    (key) => (model.fields[key] ?? null) !== shown[key],
  );
  const problems = wanted.map(
    (key) => `product ${reference}: ${key} is ${JSON.stringify(shown[key])}, not ${JSON.stringify(model.fields[key])}`,
  );
  if ((model.fields['active'] ?? true) !== shown['active']) problems.push(`product ${reference}: active is wrong`);
  const skus = shown.skus.map((sku) => `${String(sku['externalReference'])} ${String(sku['ean'])}`);
  const expected = [...model.skus].map(([sku, { ean }]) => `${sku} ${String(ean)}`);
  return [...problems, ...differences(expected, skus).map((difference) => `product ${reference}: SKU ${difference}`)];
}

function orderProblems({ orders }: Evidence, number: number, model: ModelOrder): string[] {
  const shown = orders.get(number);
  if (shown === undefined) return [`order ${number}: is not there`];
  const problems: string[] = [];
  const compare = (what: string, found: unknown, wanted: unknown): void => {
    if (JSON.stringify(found) !== JSON.stringify(wanted)) {
      problems.push(`order ${number}: ${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
    }
  };
  compare('status', shown.status, statusOf(model));
  compare(
    'history',
    shown.statusHistory.map(({ status }) => status),
    model.history,
  );
  compare('total', cents(shown.totals.total), totalCents(model));
  compare(
    'lines',
    shown.items.map(({ total }) => cents(total)),
    model.lines.map(lineCents),
  );
  compare('invoice', shown.invoice?.number ?? null, model.invoice);
  compare('files', shown.invoiceFile?.uploads ?? 0, model.files);
  return problems;
}

/** Money in notifications is in currency units with two decimals. */
function cents(amount: number): number {
  return Math.round(amount * 100);
}

/** Entries that are missing in the second list, and those that are too many; both lists may hold duplicates. */
function differences(expected: readonly string[], found: readonly string[]): string[] {
  const balance = new Map<string, number>();
  for (const one of expected) balance.set(one, (balance.get(one) ?? 0) + 1);
  for (const one of found) balance.set(one, (balance.get(one) ?? 0) - 1);
  return [...balance].flatMap(([one, count]) =>
    count === 0 ? [] : [`${one} ${count > 0 ? `is missing ${count} times` : `is there ${-count} times too often`}`],
  );
}

function brief(key: string): string {
  return key.length > 200 ? `${key.slice(0, 200)}…` : key;
}
