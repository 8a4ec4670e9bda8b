import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Admin, Kafka, logLevel, type Producer } from 'kafkajs';
import { type KafkaServer, startKafka } from './kafka.ts';
import { startOf } from './process-table.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { untilLed } from './testing/until-led.ts';
import { readTopics } from './testing/topic-reader.ts';
import { waitFor } from './wait-for.ts';

const MEGABYTE = 1024 * 1024;

describe('a started Kafka', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let kafka: KafkaServer;

  beforeAll(async () => {
    folder = await temporaryFolder();
    kafka = await startKafka({ dataDir: folder.path });
  });

  afterAll(async () => {
    await kafka.stop();
    await folder[Symbol.asyncDispose]();
  });

  it('stores and returns a record of 5 MB', async () => {
    await createTopic(kafka.brokers, 'large');
    await send(kafka.brokers, 'large', Buffer.alloc(5 * MEGABYTE, 'x'));
    const reader = await readTopics(kafka.brokers, ['large']);
    const [record] = await reader.waitForRecords((records) => records.length === 1);
    await reader.close();
    expect(record?.value?.length).toBe(5 * MEGABYTE);
  });

  it('creates no topic on its own', async () => {
    await expect(send(kafka.brokers, 'never-created', 'x')).rejects.toThrow(/does not host this topic-partition/);
  });

  it('keeps its records and its port across a kill and a restart', async () => {
    await createTopic(kafka.brokers, 'kept');
    await send(kafka.brokers, 'kept', 'before the kill');
    const { brokers, pid } = kafka;
    await kafka.kill();
    expect(startOf(pid)).toBeUndefined();
    await kafka.restart();
    expect(kafka.brokers).toBe(brokers);
    expect(kafka.pid).not.toBe(pid);
    const reader = await readTopics(kafka.brokers, ['kept']);
    const records = await reader.waitForRecords((seen) => seen.length > 0);
    await reader.close();
    expect(records.map(({ value }) => value?.toString())).toEqual(['before the kill']);
  });

  it('answers nothing while frozen, and the open request after it resumes', async () => {
    await withAdmin(kafka.brokers, async (admin) => {
      await admin.listTopics();
      kafka.freeze();
      let answered = false;
      const question = admin.listTopics().then(() => (answered = true));
      await expect(waitFor(() => answered, { describe: 'an answer', timeoutMs: 500 })).rejects.toThrow('in vain');
      kafka.thaw();
      expect(await question).toBe(true);
    });
  });

  it('keeps its topics in its folder across starts, for one owner at a time', async () => {
    await createTopic(kafka.brokers, 'from-one-start');
    await expect(startKafka({ dataDir: folder.path })).rejects.toMatchObject({ code: 'FOLDER_IN_USE' });
    await kafka.stop();
    kafka = await startKafka({ dataDir: folder.path });
    expect(await withAdmin(kafka.brokers, (admin) => admin.listTopics())).toContain('from-one-start');
  });
});

async function createTopic(brokers: string, topic: string): Promise<void> {
  await withAdmin(brokers, async (admin) => {
    await admin.createTopics({ topics: [{ topic }], waitForLeaders: false });
    await untilLed(admin, topic);
  });
}

async function send(brokers: string, topic: string, value: string | Buffer): Promise<void> {
  const producer: Producer = client(brokers).producer({ retry: { retries: 1 } });
  await producer.connect();
  try {
    await producer.send({ topic, messages: [{ value }] });
  } finally {
    await producer.disconnect();
  }
}

async function withAdmin<T>(brokers: string, use: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = client(brokers).admin();
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.disconnect();
  }
}

function client(brokers: string): Kafka {
  return new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING });
}
