import type { TopicName } from '@gondola/shared/topics/topics';

const MIB = 1_048_576;

/**
 * Largest record batch in bytes, where Kafka's default of 1 MiB is too small: a notification's body of 5 MB with its
 * headers, and the dead letter of such a one, which has them all twice.
 */
export const MAX_MESSAGE_BYTES = {
  'platform.notifications.catalog.v1': 6 * MIB,
  'platform.notifications.orders.v1': 6 * MIB,
  'platform.notifications.users.v1': 6 * MIB,
  'dead-letters.v1': 7 * MIB,
} as const satisfies Partial<Record<TopicName, number>>;

/** The same for any topic; undefined where Kafka's default holds. */
export function maxMessageBytes(topic: TopicName): number | undefined {
  return (MAX_MESSAGE_BYTES as Partial<Record<TopicName, number>>)[topic];
}

/**
 * Twice what a topic of the default size takes uncompressed: reading it as JSON holds the event loop for less than half
 * a second.
 */
const MAX_OTHER_VALUE_BYTES = 2 * MIB;

/** Longest value in bytes, after unpacking, that an app looks at; a longer one is a dead letter. */
export function maxValueBytes(topic: TopicName): number {
  return maxMessageBytes(topic) ?? MAX_OTHER_VALUE_BYTES;
}
