import type { Admin } from 'kafkajs';

import { topicNameOf } from '@gondola/shared/topics/topics';

import { ConfigResourceTypes } from './kafkajs-native.ts';
import { maxMessageBytes } from './topic-sizes.ts';

/** Kafka's limits for topic names. */
const MAX_NAME_LENGTH = 249;
const NAME = /^[A-Za-z0-9._-]+$/;

/** Checks Kafka's rules for names, and that the name fits with the prefix. */
export function nameProblems(topic: string): string[] {
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

/**
 * Topics with a different number of partitions. Throws kafkajs' error while the broker does not know one of them.
 */
export async function partitionProblems(admin: Admin, wanted: string[], partitions: number): Promise<string[]> {
  const { topics } = await admin.fetchTopicMetadata({ topics: wanted });
  return topics
    .filter((topic) => topic.partitions.length !== partitions)
    .map(
      ({ name, partitions: { length } }) =>
        `O tópico "${name}" tem ${length} partições e TOPIC_PARTITIONS é ${partitions}: defina TOPIC_PARTITIONS=${length} em todos os apps (o número é fixado na criação, porque decide em que partição está cada entidade), ou apague o tópico se ele ainda não tem registros. / ` +
        `Topic "${name}" has ${length} partitions and TOPIC_PARTITIONS is ${partitions}: set TOPIC_PARTITIONS=${length} for every app, or delete the topic while it has no records.`,
    );
}

/** Topics whose limit is too small for their largest record. Throws like `partitionProblems`. */
export async function sizeProblems(admin: Admin, wanted: string[], prefix: string): Promise<string[]> {
  const needed = new Map(
    wanted.flatMap((topic) => {
      const bytes = maxMessageBytes(topicNameOf(prefix, topic)!);
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

/** A broker's error for one topic, inside kafkajs' aggregate error. */
export interface CreationFailure {
  readonly topic: string;
  readonly type: string;
  readonly message: string;
  readonly retriable: boolean;
}

/**
 * The errors that are failures: another app may have created a topic in the meantime. kafkajs' own message names
 * neither topic nor reason.
 */
export function creationFailures(error: unknown): CreationFailure[] {
  const { errors = [] } = error as { errors?: readonly CreationFailure[] };
  return errors.filter(({ type }) => type !== 'TOPIC_ALREADY_EXISTS');
}

/** A failure as a sentence. */
export function creationProblem({ topic, type, message }: CreationFailure): string {
  return (
    `O Kafka não criou o tópico "${topic}": ${type}. / ` +
    `Kafka did not create topic "${topic}": ${type} (${message}).`
  );
}
