import type { Admin } from 'kafkajs';
import { waitFor } from '../wait-for.ts';

/**
 * Waits until all partitions of a new topic have leaders. kafkajs' own wait fails if the broker does not know the
 * topic yet.
 */
export async function untilLed(admin: Admin, topic: string): Promise<void> {
  await waitFor(() => admin.fetchTopicOffsets(topic), { describe: `the leaders of ${topic}` });
}
