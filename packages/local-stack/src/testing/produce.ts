import { Kafka, logLevel } from 'kafkajs';

/** Writes records to existing topics, as an external producer would, and awaits each. For tests. */
export async function produce(
  brokers: string,
  records: ReadonlyArray<{ readonly topic: string; readonly key: string | null; readonly value: string }>,
): Promise<void> {
  const producer = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).producer();
  await producer.connect();
  try {
    for (const { topic, key, value } of records) await producer.send({ topic, messages: [{ key, value }] });
  } finally {
    await producer.disconnect();
  }
}
