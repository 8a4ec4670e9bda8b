import type { Admin } from 'kafkajs';
import { waitFor } from '../wait-for.ts';

/**
 * Waits until all partitions of a topic that was just made have leaders. kafkajs' own waiting fails on a topic that the
 * broker has not heard of yet.
 */
export async function untilLed(admin: Admin, topic: string): Promise<void> {
  await waitFor(() => admin.fetchTopicOffsets(topic), { describe: `the leaders of ${topic}` });
}
