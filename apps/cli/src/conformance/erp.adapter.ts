import { readFile } from 'node:fs/promises';
import { createKafka } from '@gondola/kafka/client/kafka-client';
import { namingKafka } from '@gondola/kafka/client/kafka-refusal';
import { encodeRecord } from '@gondola/kafka/records/record-codec';
import { provisionTopics } from '@gondola/kafka/topics/topic-provisioning';
import { murmur2 } from '@gondola/kafka/wire/murmur2';
import { readConfig } from '@gondola/service-kit/config/config';
import { kafkaShape } from '@gondola/service-kit/config/config-shapes';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { checkRecord, ERP_TOPICS, type ErpTopic } from '@gondola/shared/records/check-record';
import { TOPIC_NAMES, type TopicName, topicSpec } from '@gondola/shared/topics/topics';
import { WrongUsage } from '../command-line/option-values.ts';
import type { Environment } from '../command-line/secrets.adapter.ts';
import type { Say } from '../texts/texts.ts';
import { type Check, failed, HELD, skipped } from './check.ts';
import { type CaseRecord, erpCases, type Examples } from './erp-cases.ts';
import { type ErpRecord, judgeRecords, writerRules } from './erp-records.ts';
import type { Prepared } from './run-checks.adapter.ts';

const EXAMPLES = new URL('../../../../docs/contract/examples/', import.meta.url);
const EVENTS = 'erp.orders.events.v1';
const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const TIME = '2026-11-20T17:05:00.000Z';

interface AskedErp {
  readonly env: Environment;
  readonly prefix: string;
  readonly group: string;
  readonly tenant: string;
  readonly until: <T>(look: () => Promise<T>, isSo: (seen: T) => boolean) => Promise<T>;
  readonly say: Say;
}

/** The checks of an ERP that reads and writes the topics of a prefix. */
export async function prepareErp({ group, prefix, tenant, say, until, ...of }: AskedErp): Promise<Prepared> {
  const topics = await openTopics({ group, prefix, tenant, say, until, ...of }).catch((error: unknown) => {
    // Errors of settings, of a Kafka that cannot be reached, and of topics that do not fit are sentences.
    throw error instanceof Error && 'code' in error ? new WrongUsage(error.message.replaceAll(/\s+/g, ' ')) : error;
  });
  if (!(await topics.reads(EVENTS))) {
    await topics.close();
    throw new WrongUsage(say('groupAway', { group, topic: prefix + EVENTS }));
  }
  const [reader, writer] = [say({ pt: 'consumidor', en: 'consumer' }), say({ pt: 'produtor', en: 'producer' })];
  const first = 1_000_000_000 + (Math.floor(Date.now() / 1_000) % 1_000_000_000);
  const [event, result, sku] = await Promise.all(['order-event.v1', 'result.v1', 'sku.v1'].map(readExample));
  const cases = erpCases({ event, result, sku } as Examples, tenant, first);
  const stopped = new Set<TopicName>();
  const reading = cases.map(([pt, en, topic, ...records]): Check => {
    const run = async () => {
      if (stopped.has(topic)) return skipped(say({ pt: 'o ERP parou antes', en: 'the ERP stopped before' }));
      if (!(await topics.reads(topic)))
        return skipped(`${say({ pt: 'o grupo não lê', en: 'the group does not read' })} ${topic}`);
      for (const record of records) await topics.publish(topic, record);
      const left = await until(
        () => topics.behind(group, topic),
        ({ length }) => length === 0,
      );
      if (left.length > 0) stopped.add(topic);
      return left.length === 0 ? HELD : failed(say({ pt: 'tudo lido', en: 'everything read' }), left.join(', '));
    };
    return { section: reader, statement: say({ pt, en }), run };
  });
  const values = cases.flatMap(([, , , ...records]) => records.map(({ value }) => value));
  const orders = new Set(values.map((value) => Number(value?.['orderNumber'])));
  const language = say('languageTag') === 'en' ? 'en' : 'pt-BR';
  const check = ({ topic, value }: ErpRecord) => checkRecord(topic, value!, { language, mode: 'update' });
  let written: Promise<ErpRecord[]> | undefined;
  const writing = writerRules(check, orders).map(([pt, en, rule]): Check => {
    const run = async () => {
      const records = await (written ??= topics.written());
      if (records.length === 0) return skipped(say({ pt: 'o ERP não escreveu', en: 'the ERP wrote nothing' }));
      return judgeRecords(records, rule, say({ pt, en }));
    };
    return { section: writer, statement: say({ pt, en }), run };
  });
  return { checks: [...reading, ...writing], close: topics.close };
}

/** Topics of an ERP under a prefix of its own; missing ones are created, as an app would. */
async function openTopics({ env, prefix, group, tenant, until }: AskedErp) {
  const { kafka: settings } = readConfig({ kafka: kafkaShape }, env);
  const kafka = createKafka(settings, 'gondola.conformance', createLogger({ app: 'cli', level: 'silent' }));
  const { brokers, partitions } = settings;
  const topics = TOPIC_NAMES.filter((topic) =>
    [topicSpec(topic).readers, topicSpec(topic).writers].flat().includes('erp'),
  );
  await namingKafka(brokers, provisionTopics({ kafka, prefix, partitions, replicationFactor: -1, topics }));
  const admin = kafka.admin();
  const producer = kafka.producer({ allowAutoTopicCreation: false, idempotent: true });
  await namingKafka(brokers, Promise.all([admin.connect(), producer.connect()]));
  const endsOf = (topic: TopicName) => admin.fetchTopicOffsets(prefix + topic);

  async function publish(topic: TopicName, { key, subject, value, replay }: CaseRecord): Promise<void> {
    const {
      id = key,
      type = 'gondola.sku.v1',
      revision,
    } = (value ?? {}) as { id?: string; type?: string; revision?: number };
    const bytes = value === null ? null : Buffer.from(JSON.stringify(value));
    const names = { id, type, subject, time: TIME, tenant, partitionKey: `${tenant}/${subject}`, traceparent: TRACE };
    const more = { ...(revision && { sequence: revision }), ...(replay && { extra: { ce_replay: '0' } }) };
    const [app = ''] = topicSpec(topic).writers;
    const { headers } = encodeRecord({ topic, key, ...names, ...more, value: bytes }, app);
    const partition = home(names.partitionKey, (await endsOf(topic)).length);
    const named = Object.fromEntries(headers.map(([name, text]) => [name, text ?? '']));
    await producer.send({ topic: prefix + topic, messages: [{ key, value: bytes, headers: named, partition }] });
  }

  /** Places of a topic at which a group has records before it. */
  async function behind(groupId: string, topic: TopicName): Promise<string[]> {
    const ends = await endsOf(topic);
    const [found] = await admin.fetchOffsets({ groupId, topics: [prefix + topic] });
    return ends.flatMap(({ partition, high, low }) => {
      const committed = Number(found?.partitions.find((each) => each.partition === partition)?.offset ?? -1);
      const next = Math.max(committed, Number(low));
      return next < Number(high) ? [`${topic}/${partition}/${next}`] : [];
    });
  }

  /** All records that the ERP wrote so far. An open transaction of the ERP ends the wait for them. */
  async function written(): Promise<ErpRecord[]> {
    const records: ErpRecord[] = [];
    const counts = new Map<string, number>();
    for (const topic of ERP_TOPICS) counts.set(prefix + topic, (await endsOf(topic)).length);
    const groupId = `${prefix}gondola.conformance.${Date.now()}`;
    const consumer = kafka.consumer({ groupId });
    await consumer.connect();
    await consumer.subscribe({ topics: [...counts.keys()], fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ topic, partition, message: { offset, key: bytes, value } }) => {
        const key = bytes?.toString() ?? null;
        const isAtHome = key === null || home(key, counts.get(topic) ?? 1) === partition;
        records.push({ topic: topic.slice(prefix.length) as ErpTopic, partition, offset, key, value, isAtHome });
      },
    });
    const unread = async () => (await Promise.all(ERP_TOPICS.map((topic) => behind(groupId, topic)))).flat();
    await until(unread, ({ length }) => length === 0);
    await consumer.disconnect();
    await admin.deleteGroups([groupId]);
    return records;
  }

  /** A member of the group subscribes to the topic: its metadata has the name. */
  const reads = async (topic: TopicName): Promise<boolean> =>
    (await admin.describeGroups([group])).groups.some(({ members }) =>
      members.some(({ memberMetadata }) => memberMetadata.includes(prefix + topic)),
    );
  const close = () => Promise.all([producer.disconnect(), admin.disconnect()]);
  return { publish, behind, written, reads, close };
}

/** Partition of a key, as Java's and librdkafka's producers choose it. */
function home(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fff_ffff) % partitions;
}

/** One of the contract's own examples, which its suites hold to be valid. */
async function readExample(name: string): Promise<Examples['event']> {
  return JSON.parse(await readFile(new URL(`${name}.json`, EXAMPLES), 'utf8')) as Examples['event'];
}
