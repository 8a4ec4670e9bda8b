import type { Kafka } from 'kafkajs';

import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { ConfigResourceTypes } from './kafkajs-native.ts';
import { settlesWithin } from '../within.ts';

/** Records stay on a topic until Kafka deletes them; nobody else can. */
export interface TopicRemains {
  /** With its prefix. */
  readonly topic: string;
  /** When the last of them is gone at the latest, RFC 3339; null: the topic never deletes. */
  readonly until: string | null;
}

const SETTINGS = ['retention.ms', 'segment.ms'];
const PATIENCE_MS = 5_000;

/**
 * Until when records stay that were written until `at`, by the topics' settings as Kafka has them now. A segment is
 * deleted as a whole, so that its own time comes on top. Null where Kafka does not say within five seconds.
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
