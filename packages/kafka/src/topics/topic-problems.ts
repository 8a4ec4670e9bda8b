import type { Admin } from 'kafkajs';

import { topicNameOf, topicSpec } from '@gondola/shared/topics/topics';

import { hasCause } from '../client/error-causes.ts';
import { ConfigResourceTypes } from '../client/kafkajs-native.ts';
import { missingRight } from './needed-rights.ts';
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
 * Compacted topics with a different number of partitions than new ones get. Throws kafkajs' error while the broker does
 * not know one of them.
 */
export async function partitionProblems(
  admin: Admin,
  { wanted, prefix, partitions }: { readonly wanted: string[]; readonly prefix: string; readonly partitions: number },
): Promise<string[]> {
  const { topics } = await admin.fetchTopicMetadata({ topics: wanted });
  return topics
    .filter(({ name }) => topicSpec(topicNameOf(prefix, name)!).cleanup === 'compact')
    .filter((topic) => topic.partitions.length !== partitions)
    .map(
      ({ name, partitions: { length } }) =>
        `O tópico compactado "${name}" tem ${length} partições e TOPIC_PARTITIONS é ${partitions}. Se ele foi criado assim, defina TOPIC_PARTITIONS=${length} em todos os apps: os outros tópicos podem ter outro número. Se partições lhe foram acrescentadas, apague-o; os apps o criam de novo, e gondola catalog compare --adopt o enche. / ` +
        `The compacted topic "${name}" has ${length} partitions and TOPIC_PARTITIONS is ${partitions}. If it was created so, set TOPIC_PARTITIONS=${length} for every app: the other topics may have another number. If partitions were added to it, delete it; the apps create it anew, and gondola catalog compare --adopt fills it.`,
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
  const found = await Promise.all([...needed].map(async ([topic]) => [topic, await sizeOf(admin, topic)] as const));
  return found.flatMap(([topic, bytes]) => {
    const least = needed.get(topic)!;
    if (bytes === null) return [missingRight({ resource: 'Topic', name: topic, operation: 'DescribeConfigs' })];
    if (bytes >= least) return [];
    return [
      `O tópico "${topic}" aceita registros de até ${bytes} bytes e precisa de ${least}: aumente max.message.bytes (kafka-configs --alter --topic ${topic} --add-config max.message.bytes=${least}). / ` +
        `Topic "${topic}" takes records of up to ${bytes} bytes and needs ${least}: raise its max.message.bytes.`,
    ];
  });
}

/** Largest record of a topic in bytes; null if the account may not see it. kafkajs names no topic in its error. */
async function sizeOf(admin: Admin, name: string): Promise<number | null> {
  const asked = { type: ConfigResourceTypes.TOPIC, name, configNames: ['max.message.bytes'] };
  try {
    const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [asked] });
    return Number(resources[0]?.configEntries[0]?.configValue);
  } catch (error) {
    if (hasCause(error, 'TOPIC_AUTHORIZATION_FAILED')) return null;
    throw error;
  }
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

/** Codes with which Kafka answers a creation of a topic that the account may neither see nor create. */
const NOT_ALLOWED = new Set(['TOPIC_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED']);

/** A failure as a sentence; `operation` is what the app does with the topic. */
export function creationProblem({ topic, type, message }: CreationFailure, operation: 'Read' | 'Write'): string {
  if (NOT_ALLOWED.has(type)) {
    return (
      `O Kafka não mostra o tópico "${topic}" à conta deste app, nem a deixa criá-lo: dê a ela o direito ${operation} no tópico, se ele existe, ou Create (docs/running.md lista todos). / ` +
      `Kafka does not show topic "${topic}" to the account of this app and does not let it create it: grant it ${operation} on the topic if that exists, else Create (docs/running.md lists them all).`
    );
  }
  return (
    `O Kafka não criou o tópico "${topic}": ${type}. / ` +
    `Kafka did not create topic "${topic}": ${type} (${message}).`
  );
}
