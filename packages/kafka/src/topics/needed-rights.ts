import {
  fullTopicName,
  TOPIC_NAMES,
  type TopicName,
  type TopicParty,
  topicSpec,
  withShadows,
} from '@gondola/shared/topics/topics';

import { maxMessageBytes } from './topic-sizes.ts';

/** A right on a Kafka with an authorizer, in Kafka's words. Read and Write contain Describe. */
export interface KafkaRight {
  readonly resource: 'Topic' | 'Group';
  /** Name of the topic or of the group, with its prefix. */
  readonly name: string;
  readonly operation: 'Read' | 'Write' | 'DescribeConfigs' | 'Create';
}

/**
 * All rights without which an app does not work, once its topics exist. docs/running.md lists them.
 *
 * @param isAnyInShadow true if a tenant is in shadow, so that the app reads and writes the twins of its topics, too
 */
export function neededRights(app: TopicParty, topicPrefix: string, isAnyInShadow = false): KafkaRight[] {
  const names = withShadows(TOPIC_NAMES, isAnyInShadow);
  const reads = names.filter((name) => topicSpec(name).readers.includes(app));
  const writes = names.filter((name) => topicSpec(name).writers.includes(app));
  const right = (name: TopicName, operation: KafkaRight['operation']): KafkaRight => ({
    resource: 'Topic',
    name: fullTopicName(topicPrefix, name),
    operation,
  });
  const all = [...new Set([...reads, ...writes])];
  return [
    ...reads.map((name) => right(name, 'Read')),
    // Operators send dead letters back to the topics that an app reads.
    ...all.map((name) => right(name, 'Write')),
    ...all.filter(isChecked).map((name) => right(name, 'DescribeConfigs')),
    ...(reads.length > 0
      ? [{ resource: 'Group', name: `${topicPrefix}gondola.${app}`, operation: 'Read' } as const]
      : []),
  ];
}

/** True if an app looks at its start whether the topic takes records that are large enough. */
function isChecked(name: TopicName): boolean {
  return maxMessageBytes(name) !== undefined;
}

/** A missing right as a sentence for operators. */
export function missingRight({ resource, name, operation }: KafkaRight): string {
  const [what, noun] = resource === 'Topic' ? ['no tópico', 'topic'] : ['no grupo', 'group'];
  return (
    `O Kafka não dá à conta deste app o direito ${operation} ${what} "${name}": dê-o a ela (docs/running.md lista todos). / ` +
    `Kafka does not give the account of this app the right ${operation} on the ${noun} "${name}": grant it (docs/running.md lists them all).`
  );
}
