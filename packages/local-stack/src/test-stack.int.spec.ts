import { afterEach, describe, expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { Client } from 'pg';
import {
  createTestSchema,
  deleteTopics,
  TEST_STACK_VARIABLE,
  testStack,
  uniquePrefix,
  withTestDatabase,
} from './test-stack.ts';
import { untilLed } from './testing/until-led.ts';
import { readTopics } from './testing/topic-reader.ts';
import { waitFor } from './wait-for.ts';

describe('the test stack', () => {
  const given = process.env[TEST_STACK_VARIABLE];

  afterEach(() => {
    if (given === undefined) delete process.env[TEST_STACK_VARIABLE];
    else process.env[TEST_STACK_VARIABLE] = given;
  });

  it('is set by one variable, and without it the error names the command to run', () => {
    process.env[TEST_STACK_VARIABLE] = '{"kafkaBrokers":"127.0.0.1:1","databaseUrl":"postgres://a"}';
    expect(testStack()).toEqual({ kafkaBrokers: '127.0.0.1:1', databaseUrl: 'postgres://a' });
    for (const wrong of ['', '{', '{"kafkaBrokers":"127.0.0.1:1"}', 'null']) {
      process.env[TEST_STACK_VARIABLE] = wrong;
      expect(testStack).toThrow(/npm test/);
    }
  });

  it('creates a schema for a suite, which every connection of its URL uses, and drops it', async () => {
    const [one, other] = await Promise.all([createTestSchema('same-name'), createTestSchema('same-name')]);
    expect(one.schema).toMatch(/^test_same_name_[0-9a-f]{8}$/);
    await query(one.url, 'CREATE TABLE mine ()');
    await query(other.url, 'CREATE TABLE mine ()');
    expect(await query(testStack().databaseUrl, `SELECT FROM ${one.schema}.mine`)).toEqual([]);
    await Promise.all([one.drop(), other.drop()]);
    await expect(query(one.url, 'SELECT FROM mine')).rejects.toThrow(/does not exist/);
  });

  it('creates a database and drops it, even with open connections', async () => {
    const left = await withTestDatabase('own', async (url) => {
      const client = new Client({ connectionString: url });
      client.on('error', () => {});
      await client.connect();
      const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
      return rows[0]?.name;
    });
    expect(left).toMatch(/^test_own_/);
    const rows = await query(testStack().databaseUrl, `SELECT FROM pg_database WHERE datname = '${left}'`);
    expect(rows).toEqual([]);
  });

  it('lists and deletes the topics of one prefix only', async () => {
    const { kafkaBrokers } = testStack();
    const [mine, yours] = [uniquePrefix('mine'), uniquePrefix('yours')];
    const kafka = new Kafka({ brokers: [kafkaBrokers], logLevel: logLevel.NOTHING });
    const [admin, producer] = [kafka.admin(), kafka.producer()];
    await Promise.all([admin.connect(), producer.connect()]);
    const topics = [`${mine}a`, `${mine}b`, `${yours}a`];
    await admin.createTopics({ topics: topics.map((topic) => ({ topic })), waitForLeaders: false });
    for (const topic of topics) await untilLed(admin, topic);
    await producer.send({
      topic: `${mine}a`,
      messages: [
        { key: 'k', value: 'v', headers: { ce_id: '1' } },
        { key: null, value: null },
      ],
    });

    const reader = await readTopics(kafkaBrokers, [`${mine}a`, `${mine}b`]);
    const records = await reader.waitForRecords((seen) => seen.length === 2);
    expect(records).toMatchObject([
      { topic: `${mine}a`, partition: 0, offset: '0', key: 'k', value: Buffer.from('v'), headers: { ce_id: '1' } },
      { key: null, value: null, headers: {} },
    ]);
    const vain = reader.waitForRecords((seen) => seen.length > 2, { timeoutMs: 50, describe: 'a third record' });
    await expect(vain).rejects.toThrow(/a third record in mine-.*2 records so far/);
    await reader.close();

    await deleteTopics(kafkaBrokers, mine);
    await waitFor(async () => !(await admin.listTopics()).some((topic) => topic.startsWith(mine)), {
      describe: 'the topics to go',
    });
    expect(await admin.listTopics()).toContain(`${yours}a`);
    await deleteTopics(kafkaBrokers, yours);
    await Promise.all([admin.disconnect(), producer.disconnect()]);
    await expect(deleteTopics(kafkaBrokers, '')).rejects.toThrow(TypeError);
  });
});

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
