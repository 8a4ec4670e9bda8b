import { setTimeout as delay } from 'node:timers/promises';

import type { Admin, ITopicConfig, Kafka } from 'kafkajs';

import { fullTopicName, topicNameOf, type TopicName, topicSpec } from '@gondola/shared/topics/topics';

import {
  type CreationFailure,
  creationFailures,
  creationProblem,
  nameProblems,
  partitionProblems,
  sizeProblems,
} from './topic-problems.ts';
import { maxMessageBytes } from './topic-sizes.ts';

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

const KNOWN_ATTEMPTS = 100;
const KNOWN_RETRY_MS = 100;
const NOT_YET_KNOWN = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE', 'NOT_LEADER_FOR_PARTITION']);

/**
 * Creates the topics that do not exist, as the catalog describes them, and checks those that do. Several apps may do so
 * at once. Throws
 * `TopicsUnfitError` (permanent), or kafkajs' error when Kafka does not answer.
 *
 * Settings of a topic that exists are its operator's and are left alone, but for the number of partitions, which
 * decides where an entity's records are, and the largest record, without which some could never be sent.
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
    await onceKnown(async () => {
      refuse(await partitionProblems(admin, wanted, options.partitions));
      refuse(await sizeProblems(admin, wanted, prefix));
      // Brokers know of a partition before its leader answers, and what is sent in between is sent twice.
      for (const topic of missing) await admin.fetchTopicOffsets(topic);
    });
  } finally {
    await admin.disconnect();
  }
}

async function createTopics(admin: Admin, missing: string[], options: ProvisionTopicsOptions): Promise<void> {
  try {
    // kafkajs' own waiting for leaders gives up on a topic that the broker has not heard of yet.
    await admin.createTopics({ topics: missing.map((topic) => topicConfig(topic, options)), waitForLeaders: false });
  } catch (error) {
    const failures = creationFailures(error);
    refuse(failures.filter(({ retriable }) => !retriable).map(creationProblem));
    throw failures[0] ?? error;
  }
}

/**
 * Repeats `look` while a broker has not heard of topics that were just made, by this app or by another one at the same
 * time, for ten seconds at most.
 */
async function onceKnown(look: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await look();
      return;
    } catch (error) {
      if (attempt === KNOWN_ATTEMPTS || !NOT_YET_KNOWN.has((error as Partial<CreationFailure>).type ?? '')) throw error;
      await delay(KNOWN_RETRY_MS);
    }
  }
}

function topicConfig(topic: string, { prefix, partitions, replicationFactor }: ProvisionTopicsOptions): ITopicConfig {
  const name = topicNameOf(prefix, topic)!;
  const { cleanup, retentionMs } = topicSpec(name);
  const maxBytes = maxMessageBytes(name);
  const configEntries = [
    { name: 'cleanup.policy', value: cleanup },
    ...(retentionMs === null ? [] : [{ name: 'retention.ms', value: String(retentionMs) }]),
    ...(maxBytes === undefined ? [] : [{ name: 'max.message.bytes', value: String(maxBytes) }]),
  ];
  return { topic, numPartitions: partitions, replicationFactor, configEntries };
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new TopicsUnfitError(problems);
}
