import type { Kafka } from 'kafkajs';

import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { ConfigResourceTypes } from '../client/kafkajs-native.ts';
import { settlesWithin } from '@gondola/service-kit/run/within';

/** A topic whose records stay until Kafka deletes them; no app can delete them. */
export interface TopicRemains {
  /** Name with prefix. */
  readonly topic: string;
  /** Latest time at which the last record is deleted, RFC 3339; null: the topic never deletes. */
  readonly until: string | null;
}

const SETTINGS = ['retention.ms', 'segment.ms'];
const PATIENCE_MS = 5_000;

/**
 * Latest time at which records written until `at` are deleted, by the topics' present settings in Kafka. Kafka
 * deletes whole segments, so the time that a segment stays open is added. Null if Kafka does not answer within five
 * seconds.
 */
export async function topicRemains(
  { kafka, prefix }: { readonly kafka: Kafka; readonly prefix: string },
  topics: readonly TopicName[],
  at: Date,
): Promise<TopicRemains[] | null> {
  const admin = kafka.admin();
  const asking = admin.connect().then(() =>
    admin.describeConfigs({
      includeSynonyms: false,
      resources: topics.map((topic) => ({
        type: ConfigResourceTypes.TOPIC,
        name: fullTopicName(prefix, topic),
        configNames: SETTINGS,
      })),
    }),
  );
  try {
    if (!(await settlesWithin(PATIENCE_MS, asking))) return null;
    const { resources } = await asking;
    return resources.map(({ resourceName: topic, configEntries }) => ({ topic, until: untilOf(configEntries, at) }));
  } catch {
    return null;
  } finally {
    await admin.disconnect().catch(() => {});
  }
}

function untilOf(
  entries: ReadonlyArray<{ readonly configName: string; readonly configValue: string }>,
  at: Date,
): string | null {
  const [retentionMs = -1, segmentMs = -1] = SETTINGS.map((setting) =>
    Number(entries.find(({ configName }) => configName === setting)?.configValue),
  );
  const isDeleting = retentionMs >= 0 && segmentMs >= 0;
  return isDeleting ? new Date(at.getTime() + retentionMs + segmentMs).toISOString() : null;
}
