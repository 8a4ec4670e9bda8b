import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Producer, Transaction } from 'kafkajs';
import { waitFor } from '@gondola/local-stack/wait-for';
import { fullTopicName } from '@gondola/shared/topics/topics';
import { openTestKafka, type TestKafka } from '../testing/test-kafka.ts';

const TOPIC = 'erp.orders.commands.v1';

describe('records of transactional producers, on a real Kafka', () => {
  let kafka: TestKafka;
  const producers: Producer[] = [];

  beforeAll(async () => {
    kafka = await openTestKafka('aborted', []);
    await kafka.createPlain(TOPIC, 1);
  });

  afterAll(async () => {
    for (const producer of producers) await producer.disconnect();
    await kafka.close();
  });

  async function begin(name: string): Promise<{ send(value: string): Promise<void>; end: Transaction }> {
    const transactionalId = `${kafka.prefix}${name}`;
    const producer = kafka.client().producer({ transactionalId, maxInFlightRequests: 1, idempotent: true });
    producers.push(producer);
    await producer.connect();
    const end = await producer.transaction();
    const topic = fullTopicName(kafka.prefix, TOPIC);
    // The key looks like that of an abort marker.
    const send = async (value: string) => void (await end.send({ topic, messages: [{ key: Buffer.alloc(4), value }] }));
    return { send, end };
  }

  it('reach the consumer only if they were committed, also where two rolled back ones interleave', async () => {
    const [a, b, c] = [await begin('a'), await begin('b'), await begin('c')];
    await a.send('a rolled back');
    await b.send('b rolled back');
    await c.send('c committed');
    await b.end.abort();
    await a.send('a rolled back, too');
    await a.end.abort();
    await c.end.commit();
    const d = await begin('d');
    await d.send('d committed');
    await d.end.commit();

    const seen: string[] = [];
    const consumer = kafka.client().consumer({ groupId: `${kafka.prefix}reader` });
    await consumer.connect();
    try {
      await consumer.subscribe({ topic: fullTopicName(kafka.prefix, TOPIC), fromBeginning: true });
      await consumer.run({ eachMessage: async ({ message }) => void seen.push(String(message.value)) });
      await waitFor(() => seen.includes('d committed'), { describe: 'the last committed record' });
    } finally {
      await consumer.disconnect();
    }
    expect(seen).toEqual(['c committed', 'd committed']);
  });
});
