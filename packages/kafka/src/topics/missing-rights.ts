import type { Kafka } from 'kafkajs';

import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { hasCause } from '../client/error-causes.ts';
import { type Cluster, clusterOf } from '../client/kafkajs-native.ts';
import type { KafkaRight } from './needed-rights.ts';

/** Behind the end of any partition: the broker looks at the rights first, and then has nothing to send. */
const NOWHERE = '9223372036854775807';
const NO_WAIT = { maxWaitTime: 0, minBytes: 0, maxBytes: 1 };

/**
 * The rights to read that the account lacks. kafkajs' consumer would name neither topic nor group. Throws kafkajs'
 * error for any other failure.
 */
export async function missingReads(
  kafka: Kafka,
  { prefix, reads, group }: { readonly prefix: string; readonly reads: readonly TopicName[]; readonly group: string },
): Promise<KafkaRight[]> {
  if (reads.length === 0) return [];
  const topics = reads.map((name) => fullTopicName(prefix, name));
  const cluster = clusterOf(kafka);
  try {
    await cluster.connect();
    await cluster.addMultipleTargetTopics(topics);
    const missing: KafkaRight[] = [];
    for (const name of topics) {
      if (!(await mayRead(cluster, name))) missing.push({ resource: 'Topic', name, operation: 'Read' });
    }
    if (!(await mayJoin(cluster, group))) missing.push({ resource: 'Group', name: group, operation: 'Read' });
    return missing;
  } finally {
    await cluster.disconnect();
  }
}

async function mayRead(cluster: Cluster, topic: string): Promise<boolean> {
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [0]));
  // A partition without a leader: the consumer waits for it.
  if (nodeId === undefined) return true;
  const broker = await cluster.findBroker({ nodeId });
  const topics = [{ topic, partitions: [{ partition: 0, fetchOffset: NOWHERE, maxBytes: 1 }] }];
  return isAllowed(broker.fetch({ ...NO_WAIT, topics }), 'TOPIC_AUTHORIZATION_FAILED');
}

async function mayJoin(cluster: Cluster, groupId: string): Promise<boolean> {
  // A heartbeat of nobody asks for the right to read, as a consumer does, and changes nothing.
  const broker = await cluster.findControllerBroker();
  const heartbeat = broker.heartbeat({ groupId, groupGenerationId: -1, memberId: '' });
  return isAllowed(heartbeat, 'GROUP_AUTHORIZATION_FAILED');
}

/** False if Kafka refuses for this reason; any other answer is about no right. */
async function isAllowed(asked: Promise<unknown>, refusal: string): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    return !hasCause(error, refusal);
  }
}
