import { bendsDeliveries, type FaultKind } from '../../src/faults/fault.ts';
import type { AttemptRow, DeliveryRow, Evidence } from './evidence.ts';
import type { Notified } from './replay.ts';

const MOST_ATTEMPTS = 3;

/** Compares the stored notifications with those that the operations imply. */
export function notificationProblems(
  { deliveries, operations, faults }: Pick<Evidence, 'deliveries' | 'operations' | 'faults'>,
  notified: readonly Notified[],
): string[] {
  const known = new Set(operations.map(({ operationId }) => operationId));
  const problems: string[] = [];
  const written = new Map<string, DeliveryRow[]>();
  for (const row of deliveries) {
    const notification = `${row.operationId} ${row.sha256} ${row.writtenAt}`;
    written.set(notification, [...(written.get(notification) ?? []), row]);
  }
  const missing = new Map<string, number>();
  for (const one of notified) add(missing, notifiedKey(one), 1);
  let doubled = 0;
  let lost = 0;
  let withTextStatus = 0;
  let withoutLists = 0;
  const unreadable: DeliveryRow[] = [];
  for (const rows of written.values()) {
    const [row] = rows;
    if (row === undefined) continue;
    if (rows.length > 2) problems.push(`notification of ${row.operationId}: ${rows.length} deliveries of one body`);
    doubled += rows.length - 1;
    if (row.state === 'lost') lost += 1;
    const envelope = envelopeIn(row);
    if (envelope === null) {
      unreadable.push(row);
      continue;
    }
    add(missing, writtenKey(row, envelope, known), -1);
    if (typeof envelope.data.status === 'string') withTextStatus += 1;
    if (!hasList(envelope)) withoutLists += 1;
  }
  for (const [key, count] of missing) if (count < 0) problems.push(`notification without reason: ${key}`);
  problems.push(...unaccounted(missing, unreadable));
  const expect = (kind: FaultKind, shown: number, hidden = 0): void => {
    const struck = faults
      .filter(({ fault }) => fault.kind === kind && bendsDeliveries(fault))
      .reduce((sum, one) => sum + one.struck, 0);
    if (struck < shown || struck > shown + hidden)
      problems.push(`${kind} struck ${struck} notifications, and ${shown} show it, ${hidden} may hide it`);
  };
  expect('webhook-double', doubled);
  expect('webhook-lose', lost);
  expect('webhook-corrupt', unreadable.length);
  expect('status-as-text', withTextStatus, unreadable.length);
  expect('null-lists', withoutLists, unreadable.length);
  return problems;
}

/**
 * Missing notifications without an unreadable body, and unreadable bodies without a missing notification. An
 * unreadable body stands for any missing notification of its operation and event.
 */
function unaccounted(missing: ReadonlyMap<string, number>, unreadable: readonly DeliveryRow[]): string[] {
  const spare = new Map<string, number>();
  for (const { operationId, eventType } of unreadable) add(spare, `${operationId} ${eventType}`, 1);
  const problems: string[] = [];
  for (const [key, count] of missing) {
    for (let left = count; left > 0; left -= 1) {
      const operation = key.split(' ', 2).join(' ');
      if ((spare.get(operation) ?? 0) > 0) add(spare, operation, -1);
      else problems.push(`notification never written: ${key}`);
    }
  }
  for (const [key, count] of spare) if (count > 0) problems.push(`notification without reason, unreadable: ${key}`);
  return problems;
}

function notifiedKey({ operationId, eventType, about, status, totalCents }: Notified): string {
  return `${operationId ?? 'platform'} ${eventType} ${about} ${status ?? ''} ${totalCents ?? ''}`;
}

interface Envelope {
  readonly data: {
    readonly number?: number;
    readonly status?: number | string;
    readonly product?: { readonly externalReference: string };
    readonly subtotal?: { readonly total: number };
  };
}

/** Null for a body that is no JSON. */
function envelopeIn({ body }: DeliveryRow): Envelope | null {
  try {
    return JSON.parse(body.toString('utf8')) as Envelope;
  } catch {
    return null;
  }
}

/** Every notification has a list, an empty one at least. */
function hasList(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasList);
}

function writtenKey({ operationId, eventType }: DeliveryRow, { data }: Envelope, known: ReadonlySet<string>): string {
  const about = data.product?.externalReference ?? String(data.number);
  const totalCents = data.subtotal ? Math.round(data.subtotal.total * 100) : '';
  return `${known.has(operationId) ? operationId : 'platform'} ${eventType} ${about} ${data.status ?? ''} ${totalCents}`;
}

/** Compares the attempts of each notification with the receiver's records. */
export function deliveryProblems({ deliveries, attempts, arrivals, deadLetters }: Evidence): string[] {
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  const byBody = Map.groupBy(deliveries, ({ sha256 }) => sha256);
  const arrived = Map.groupBy(arrivals, ({ sha256 }) => sha256);
  const problems = deliveries.flatMap((row) => attemptProblems(row, byDelivery.get(row.id) ?? []));
  for (const sha256 of arrived.keys()) {
    if (!byBody.has(sha256)) problems.push(`bytes that nobody wrote arrived: ${sha256}`);
  }
  for (const [sha256, rows] of byBody) {
    const made = rows.flatMap(({ id }) => byDelivery.get(id) ?? []);
    const here = arrived.get(sha256) ?? [];
    const answered = made.filter(({ answer }) => answer !== null);
    // An attempt may finish before it arrives, and its answer may be lost; nothing arrives without an attempt.
    if (here.length > made.length || here.length < answered.length) {
      problems.push(`body ${sha256}: ${made.length} attempts, ${answered.length} answered, ${here.length} arrivals`);
    }
    for (const status of new Set(answered.map(({ answer }) => answer))) {
      const notified = here.filter(({ answer }) => answer === status).length;
      const logged = answered.filter(({ answer }) => answer === status).length;
      if (logged > notified)
        problems.push(`body ${sha256}: ${logged} answers ${status} in the log, ${notified} were given`);
    }
  }
  const dead = deliveries.filter(({ state }) => state === 'dead').map(({ sha256 }) => sha256);
  if (dead.toSorted().join() !== deadLetters.toSorted().join()) {
    problems.push(
      `${dead.length} notifications are dead and ${deadLetters.length} dead letters are shown, or not the same`,
    );
  }
  return problems;
}

function attemptProblems({ id, state, attempts }: DeliveryRow, made: readonly AttemptRow[]): string[] {
  const problems: string[] = [];
  const say = (problem: string): void => void problems.push(`delivery ${id}, ${state}: ${problem}`);
  const successes = made.filter(({ answer }) => answer !== null && answer >= 200 && answer < 300);
  if (made.length !== attempts || made.some(({ attempt }, index) => attempt !== index + 1))
    say('attempts are not counted right');
  if (attempts > MOST_ATTEMPTS) say(`${attempts} attempts`);
  if (state === 'delivered' && (successes.length !== 1 || successes[0] !== made.at(-1)))
    say('does not end with its first 2xx');
  if (state === 'dead' && (successes.length > 0 || attempts !== MOST_ATTEMPTS)) say('was given up too early');
  if (state === 'lost' && attempts > 0) say('was attempted');
  if (!['delivered', 'dead', 'lost'].includes(state)) say('has not ended');
  return problems;
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}
