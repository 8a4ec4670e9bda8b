import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Admin } from 'kafkajs';

import { deleteTopics, testStack, uniquePrefix } from '@gondola/local-stack/test-stack';
import type { TopicName } from '@gondola/shared/topics/topics';

import { createKafka } from '../client/kafka-client.ts';
import { ConfigResourceTypes } from '../client/kafkajs-native.ts';
import { quietLogger } from '../testing/quiet-logger.ts';
import { provisionTopics, TopicsUnfitError } from './topic-provisioning.ts';

const MIB = 1_048_576;

describe('provisioning of topics', () => {
  const prefix = uniquePrefix('provisioning');
  let brokers: string;
  let admin: Admin;

  beforeAll(async () => {
    brokers = testStack().kafkaBrokers;
    admin = client().admin();
    await admin.connect();
  });

  afterAll(async () => {
    await admin.disconnect();
    await deleteTopics(brokers, prefix);
  });

  function client() {
    return createKafka({ brokers: brokers.split(','), ssl: false }, 'messaging-tests', quietLogger());
  }

  function provision(
    topics: readonly TopicName[],
    more: { partitions?: number; prefix?: string; replicationFactor?: number } = {},
  ): Promise<void> {
    return provisionTopics({ kafka: client(), prefix, partitions: 3, replicationFactor: -1, topics, ...more });
  }

  async function settingsOf(topic: TopicName): Promise<Record<string, string>> {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: prefix + topic }],
    });
    const entries = resources.flatMap(({ configEntries }) => configEntries);
    return Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue]));
  }

  it('creates topics as the catalog describes them, large enough for a body of 5 MB and its dead letter', async () => {
    await provision([
      'erp.orders.commands.v1',
      'catalog.skus.v1',
      'platform.notifications.orders.v1',
      'dead-letters.v1',
    ]);
    const { topics } = await admin.fetchTopicMetadata({ topics: [`${prefix}erp.orders.commands.v1`] });
    expect(topics[0]?.partitions).toHaveLength(3);
    expect(await settingsOf('erp.orders.commands.v1')).toMatchObject({
      'cleanup.policy': 'delete',
      'retention.ms': String(7 * 86_400_000),
    });
    expect(await settingsOf('catalog.skus.v1')).toMatchObject({ 'cleanup.policy': 'compact' });
    const notifications = await settingsOf('platform.notifications.orders.v1');
    expect(Number(notifications['max.message.bytes'])).toBeGreaterThanOrEqual(6 * MIB);
    const deadLetters = await settingsOf('dead-letters.v1');
    expect(deadLetters['retention.ms']).toBe(String(30 * 86_400_000));
    expect(Number(deadLetters['max.message.bytes'])).toBeGreaterThan(Number(notifications['max.message.bytes']));
  });

  it('can run in several apps at once, and again', async () => {
    const topics: TopicName[] = ['erp.catalog.products.v1', 'erp.catalog.results.v1', 'erp.catalog.brands.v1'];
    // With many partitions, the broker already reports to the second app that the topic exists while it reports to
    // the first that it is unknown.
    const more = { prefix: `${prefix}many-`, partitions: 24 };
    const apps = [topics, topics.toReversed(), topics.slice(1), topics.slice(0, 1), topics, topics.toReversed()];
    await Promise.all(apps.map((some) => provision(some, more)));
    await provision(topics, more);
    const { topics: found } = await admin.fetchTopicMetadata({ topics: topics.map((topic) => more.prefix + topic) });
    expect(found.map(({ partitions }) => partitions.length)).toEqual([24, 24, 24]);
  });

  it('takes topics whose partitions an operator has chosen or added, each with its own number', async () => {
    await provision(['erp.files.commands.v1', 'platform.notifications.orders.v1']);
    const topicPartitions = [{ topic: `${prefix}erp.files.commands.v1`, count: 7 }];
    await admin.createPartitions({ topicPartitions });
    const topics: TopicName[] = ['erp.files.commands.v1', 'erp.files.results.v1', 'platform.notifications.orders.v1'];
    await provision(topics, { partitions: 12 });
    const { topics: found } = await admin.fetchTopicMetadata({ topics: topics.map((topic) => prefix + topic) });
    const counts = new Map(found.map(({ name, partitions }) => [name, partitions.length]));
    expect(topics.map((topic) => counts.get(prefix + topic))).toEqual([7, 12, 3]);
  });

  it('refuses another number of partitions of a compacted topic, and each of the two remedies works', async () => {
    const more = { prefix: `${prefix}compacted-` };
    const topic = `${more.prefix}catalog.skus.v1`;
    const topics: TopicName[] = ['catalog.skus.v1', 'erp.catalog.results.v1'];
    await provision(topics, more);
    await admin.createPartitions({ topicPartitions: [{ topic, count: 5 }] });
    const refused = provision(topics, more);
    await expect(refused).rejects.toThrow(TopicsUnfitError);
    await expect(refused).rejects.toThrow(`"${topic}" has 5 partitions and TOPIC_PARTITIONS is 3`);
    await expect(refused).rejects.not.toThrow('erp.catalog.results.v1');

    await provision(topics, { ...more, partitions: 5 });
    await deleteTopics(brokers, topic);
    await provision(topics, more);
  });

  it('refuses an existing topic that is too small for the largest record, and names the setting', async () => {
    const topic = `${prefix}platform.notifications.users.v1`;
    const configEntries = [{ name: 'max.message.bytes', value: '1048588' }];
    await admin.createTopics({ topics: [{ topic, numPartitions: 3, configEntries }], waitForLeaders: false });
    const refused = provision(['platform.notifications.users.v1']);
    await expect(refused).rejects.toThrow(/1048588 .*6291456.*max\.message\.bytes/);
    await expect(refused).rejects.toMatchObject({ code: 'TOPICS_UNFIT' });
  });

  it('reports the topic that Kafka does not create, and why', async () => {
    const refused = provision(['erp.catalog.stock.v1'], { replicationFactor: 5 });
    await expect(refused).rejects.toThrow(`${prefix}erp.catalog.stock.v1": INVALID_REPLICATION_FACTOR`);
  });

  it('refuses a prefix that makes a name too long or illegal', async () => {
    await expect(provision(['catalog.skus.v1'], { prefix: 'p'.repeat(240) })).rejects.toThrow(
      /255 > 249.*TOPIC_PREFIX/,
    );
    await expect(provision(['catalog.skus.v1'], { prefix: 'loja/' })).rejects.toThrow(/TOPIC_PREFIX/);
  });
});
