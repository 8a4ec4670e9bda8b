import type { TopicName } from '@gondola/shared/topics/topics';

const MIB = 1_048_576;

/**
 * Largest record batch in bytes, for topics where Kafka's default of 1 MiB is too small: a notification with a body
 * of 5 MB and its headers, and its dead letter, which has all of them twice.
 */
export const MAX_MESSAGE_BYTES = {
  'platform.notifications.catalog.v1': 6 * MIB,
  'platform.notifications.orders.v1': 6 * MIB,
  'platform.notifications.users.v1': 6 * MIB,
  'dead-letters.v1': 7 * MIB,
} as const satisfies Partial<Record<TopicName, number>>;

/** Largest record batch of any topic; undefined where Kafka's default applies. */
export function maxMessageBytes(topic: TopicName): number | undefined {
  return (MAX_MESSAGE_BYTES as Partial<Record<TopicName, number>>)[topic];
}

/**
 * Twice the uncompressed maximum of a topic with the default size: parsing it as JSON blocks the event loop for
 * less than half a second.
 */
const MAX_OTHER_VALUE_BYTES = 2 * MIB;

/** Longest value that an app processes, in bytes after unpacking; a longer one becomes a dead letter. */
export function maxValueBytes(topic: TopicName): number {
  return maxMessageBytes(topic) ?? MAX_OTHER_VALUE_BYTES;
}
