import { createHash } from 'node:crypto';
import type { TopicName } from '@gondola/shared/topics/topics';
import { ACME, ACME_TOKEN, BAIRRO, BAIRRO_TOKEN, CATALOG, ORDERS, USERS } from '../support/ingest-bench.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

/** The next notification of a sender. */
export interface PlannedNotification {
  readonly operationId: string;
  readonly body: Buffer;
  /** SHA-256 of the body, in hex. */
  readonly hash: string;
  readonly authorization: string;
  readonly topic: TopicName | null;
  /** The entity, if the notification has a place in its order; else null. */
  readonly series: string | null;
  readonly place: number;
}

type Drawn = Omit<PlannedNotification, 'body' | 'hash' | 'operationId' | 'authorization'> & {
  readonly tenant: 'acme' | 'bairro';
  /** Fields of the envelope. */
  readonly fields: Record<string, unknown>;
};

const ORDERS_OF_A_SENDER = 4;
const STATUSES = [300, 400, 350, 500, 600, 700] as const;
const NOTES = ['peça ação', 'queijo \u{1f9c0}', '"aspas" \\ e barra', '\t', 'x'] as const;
const LONGEST_NOTE = 3_000;

/**
 * Endless notifications of one sender, determined by the seed alone. No two bodies of any sender, round or seed are
 * equal.
 */
export function* plannedNotifications(seed: string, sender: number): Generator<PlannedNotification, never> {
  const random = seededRandom(`${seed}/sender/${sender}`);
  for (let place = 0; ; place += 1) {
    const { fields, tenant, ...drawn } = draw(random, sender, place);
    const operationId = random.guid();
    const text = JSON.stringify({
      operationId,
      contractAccountId: tenant === 'acme' ? ACME : BAIRRO,
      ...fields,
      note: random.pick(NOTES).repeat(1 + random.whole(LONGEST_NOTE / 10)),
    });
    // Garbage is truncated.
    const body = Buffer.from(drawn.series === null && random.chance(0.3) ? text.slice(0, -1) : text);
    const isGarbage = body.length < Buffer.byteLength(text);
    yield {
      ...drawn,
      topic: isGarbage ? null : drawn.topic,
      operationId,
      body,
      hash: createHash('sha256').update(body).digest('hex'),
      authorization: tenant === 'acme' ? ACME_TOKEN : `Bearer ${BAIRRO_TOKEN}`,
    };
  }
}

function draw(random: SeededRandom, sender: number, place: number): Drawn {
  const kind = random.whole(20);
  if (kind < 12) {
    const number = 1_000 * (sender + 1) + random.whole(ORDERS_OF_A_SENDER);
    const data = { number, status: random.pick(STATUSES), place, nada: null, total: 1.1 };
    const fields = { relatedEntity: 'Order', eventType: 'Order_Updated', data };
    return { tenant: 'acme', topic: ORDERS, series: `order/${number}`, place, fields };
  }
  if (kind < 16) {
    const externalReference = `p-${sender}`;
    const data = { product: { externalReference, processed: true }, place };
    const fields = { relatedEntity: 'ProductWithSKUs', eventType: 'ProductWithSKUs_Updated', data };
    return { tenant: 'acme', topic: CATALOG, series: `product/${externalReference}`, place, fields };
  }
  const user = { relatedEntity: 'User', eventType: 'User_Updated', data: { email: 'cliente01@example.com', place } };
  if (kind < 18) return { tenant: 'bairro', topic: USERS, series: null, place, fields: user };
  if (kind < 19) return { tenant: 'acme', topic: null, series: null, place, fields: user };
  const failed = { relatedEntity: 'Brand', eventType: 'Operation_Failed', data: { place }, error: { statusCode: 400 } };
  return { tenant: 'acme', topic: ORDERS, series: null, place, fields: failed };
}
