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

/** A topic has the wrong settings or cannot be created. Waiting does not help: an operator has to act. */
export class TopicsUnfitError extends Error {
  readonly code = 'TOPICS_UNFIT';
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'TopicsUnfitError';
  }
}

export interface ProvisionTopicsOptions {
  readonly kafka: Kafka;
  /** Put in front of each name unchanged. */
  readonly prefix: string;
  readonly partitions: number;
  /** -1: the broker's default. */
  readonly replicationFactor: number;
  readonly topics: readonly TopicName[];
  /** Those of `topics` that the app reads; it writes the others. Default: none. */
  readonly reads?: readonly TopicName[];
}

const KNOWN_ATTEMPTS = 100;
const KNOWN_RETRY_MS = 100;
const NOT_YET_KNOWN = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE', 'NOT_LEADER_FOR_PARTITION']);

/**
 * Creates the topics that do not exist, as the catalog describes them, and checks those that do. Several apps may
 * do so at the same time. Throws `TopicsUnfitError` (permanent), or kafkajs' error when Kafka does not answer.
 *
 * The settings of an existing topic belong to its operator and are not changed, its number of partitions neither.
 * Checked are only the largest record size, without which some records could never be sent, and the number of
 * partitions of a compacted topic: where some were added, the former record of a key stays where no later one
 * replaces it.
 */
export async function provisionTopics(options: ProvisionTopicsOptions): Promise<void> {
  const { kafka, prefix, topics } = options;
  const wanted = [...new Set(topics)].map((name) => fullTopicName(prefix, name));
  // A metadata request for no topics would return those of all topics.
  if (wanted.length === 0) return;
  refuse(wanted.flatMap(nameProblems));
  const admin = kafka.admin();
  try {
    await admin.connect();
    const existing = new Set(await admin.listTopics());
    const missing = wanted.filter((topic) => !existing.has(topic));
    if (missing.length > 0) await createTopics(admin, missing, options);
    await onceKnown(async () => {
      refuse(await partitionProblems(admin, { wanted, prefix, partitions: options.partitions }));
      refuse(await sizeProblems(admin, wanted, prefix));
      // Brokers know a partition before its leader answers, and records sent in between are sent twice.
      for (const topic of missing) await admin.fetchTopicOffsets(topic);
    });
  } finally {
    await admin.disconnect();
  }
}

async function createTopics(admin: Admin, missing: string[], options: ProvisionTopicsOptions): Promise<void> {
  try {
    // kafkajs' own wait for leaders fails if the broker does not know the topic yet.
    await admin.createTopics({ topics: missing.map((topic) => topicConfig(topic, options)), waitForLeaders: false });
  } catch (error) {
    const failures = creationFailures(error);
    const reads = new Set((options.reads ?? []).map((name) => fullTopicName(options.prefix, name)));
    refuse(
      failures
        .filter(({ retriable }) => !retriable)
        .map((failure) => creationProblem(failure, reads.has(failure.topic) ? 'Read' : 'Write')),
    );
    throw failures[0] ?? error;
  }
}

/**
 * Repeats `look`, for ten seconds at most, while a broker does not know topics that this app or another one has
 * just created.
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
