import type { Admin, ITopicConfig, Kafka } from 'kafkajs';

import { fullTopicName, topicNameOf, type TopicName, topicSpec } from '@gondola/shared/topics';

import { ConfigResourceTypes } from './kafkajs-native.ts';

/** A topic that exists is not as it must be, or cannot be made. Waiting does not help: somebody has to act. */
export class TopicsUnfitError extends Error {
  readonly code = 'TOPICS_UNFIT';
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'TopicsUnfitError';
  }
}

export interface ProvisionTopicsOptions {
  readonly kafka: Kafka;
  /** In front of each name, as it is. */
  readonly prefix: string;
  readonly partitions: number;
  /** -1 takes the broker's own default. */
  readonly replicationFactor: number;
  readonly topics: readonly TopicName[];
}

const MIB = 1_048_576;
/** Kafka's own limits for a topic's name. */
const MAX_NAME_LENGTH = 249;
const NAME = /^[A-Za-z0-9._-]+$/;

/**
 * Largest record batch in bytes, where Kafka's default of 1 MiB is too small: a notification's body of 5 MB with its headers, and the dead
 * letter of such a one, which has them all twice.
 */
const MAX_MESSAGE_BYTES: Partial<Record<TopicName, number>> = {
  'platform.notifications.catalog.v1': 6 * MIB,
  'platform.notifications.orders.v1': 6 * MIB,
  'platform.notifications.users.v1': 6 * MIB,
  'dead-letters.v1': 7 * MIB,
};

/**
 * Creates the topics that do not exist, as the catalogue describes them, and checks those that do. Several apps may do so at once. Throws
 * `TopicsUnfitError` (permanent), or kafkajs' error when Kafka does not answer.
 *
 * Settings of a topic that exists are its operator's and are left alone, but for the number of partitions, which decides where an entity's
 * records are, and the largest record, without which some could never be sent.
 */
export async function provisionTopics(options: ProvisionTopicsOptions): Promise<void> {
  const { kafka, prefix, topics } = options;
  const wanted = [...new Set(topics)].map((name) => fullTopicName(prefix, name));
  // To ask for the metadata of no topics is to ask for those of all.
  if (wanted.length === 0) return;
  refuse(wanted.flatMap(nameProblems));
  const admin = kafka.admin();
  try {
    await admin.connect();
    const existing = new Set(await admin.listTopics());
    const missing = wanted.filter((topic) => !existing.has(topic));
    if (missing.length > 0) await createTopics(admin, missing, options);
    refuse(await partitionProblems(admin, wanted, options.partitions));
    refuse(await sizeProblems(admin, wanted, prefix));
  } finally {
    await admin.disconnect();
  }
}

async function createTopics(admin: Admin, missing: string[], options: ProvisionTopicsOptions): Promise<void> {
  try {
    // False, and no failure, if another app has made some of them meanwhile; each of the others is made all the same.
    await admin.createTopics({ topics: missing.map((topic) => topicConfig(topic, options)), waitForLeaders: true });
  } catch (error) {
    refuse(creationProblems(error));
    throw error;
  }
}

/** What a broker says of one topic, inside kafkajs' aggregate error. */
interface CreationFailure {
  readonly topic: string;
  readonly type: string;
  readonly message: string;
  readonly retriable: boolean;
}

/** kafkajs' own message names neither topic nor reason. */
function creationProblems(error: unknown): string[] {
  const { errors } = error as { errors?: readonly CreationFailure[] };
  return (errors ?? [])
    .filter(({ type, retriable }) => type !== 'TOPIC_ALREADY_EXISTS' && !retriable)
    .map(
      ({ topic, type, message }) =>
        `O Kafka não criou o tópico "${topic}": ${type}. / Kafka did not create topic "${topic}": ${type} (${message}).`,
    );
}

function topicConfig(topic: string, { prefix, partitions, replicationFactor }: ProvisionTopicsOptions): ITopicConfig {
  const name = topicNameOf(prefix, topic)!;
  const { cleanup, retentionMs } = topicSpec(name);
  const maxBytes = MAX_MESSAGE_BYTES[name];
  const configEntries = [
    { name: 'cleanup.policy', value: cleanup },
    ...(retentionMs === null ? [] : [{ name: 'retention.ms', value: String(retentionMs) }]),
    ...(maxBytes === undefined ? [] : [{ name: 'max.message.bytes', value: String(maxBytes) }]),
  ];
  return { topic, numPartitions: partitions, replicationFactor, configEntries };
}

/** Kafka's rules, and that a name fits beside the prefix. */
function nameProblems(topic: string): string[] {
  if (topic.length > MAX_NAME_LENGTH) {
    const limit = `${topic.length} > ${MAX_NAME_LENGTH}`;
    return [
      `O nome do tópico "${topic}" é longo demais (${limit}): encurte TOPIC_PREFIX. / The topic's name is too long (${limit}): shorten TOPIC_PREFIX.`,
    ];
  }
  if (!NAME.test(topic)) {
    return [
      `O nome do tópico "${topic}" só pode ter letras, dígitos, ponto, _ e -: mude TOPIC_PREFIX. / A topic's name takes letters, digits, dot, _ and - only: change TOPIC_PREFIX.`,
    ];
  }
  return [];
}

async function partitionProblems(admin: Admin, wanted: string[], partitions: number): Promise<string[]> {
  const { topics } = await admin.fetchTopicMetadata({ topics: wanted });
  return topics
    .filter((topic) => topic.partitions.length !== partitions)
    .map(
      ({ name, partitions: { length } }) =>
        `O tópico "${name}" tem ${length} partições e TOPIC_PARTITIONS é ${partitions}: defina TOPIC_PARTITIONS=${length} em todos os apps (o número é fixado na criação, porque decide em que partição está cada entidade), ou apague o tópico se ele ainda não tem registros. / ` +
        `Topic "${name}" has ${length} partitions and TOPIC_PARTITIONS is ${partitions}: set TOPIC_PARTITIONS=${length} for every app, or delete the topic while it has no records.`,
    );
}

async function sizeProblems(admin: Admin, wanted: string[], prefix: string): Promise<string[]> {
  const needed = new Map(
    wanted.flatMap((topic) => {
      const bytes = MAX_MESSAGE_BYTES[topicNameOf(prefix, topic)!];
      return bytes === undefined ? [] : [[topic, bytes] as const];
    }),
  );
  if (needed.size === 0) return [];
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [...needed.keys()].map((name) => ({
      type: ConfigResourceTypes.TOPIC,
      name,
      configNames: ['max.message.bytes'],
    })),
  });
  return resources.flatMap(({ resourceName: topic, configEntries }) => {
    const bytes = Number(configEntries[0]?.configValue);
    const least = needed.get(topic)!;
    if (bytes >= least) return [];
    return [
      `O tópico "${topic}" aceita registros de até ${bytes} bytes e precisa de ${least}: aumente max.message.bytes (kafka-configs --alter --topic ${topic} --add-config max.message.bytes=${least}). / ` +
        `Topic "${topic}" takes records of up to ${bytes} bytes and needs ${least}: raise its max.message.bytes.`,
    ];
  });
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new TopicsUnfitError(problems);
}
