import { shadowTopic, TOPIC_NAMES, type TopicName, type TopicParty, topicSpec } from './topics.ts';

/** Apps that replay what they publish, and whether some of that is about orders. */
const APPS = new Map<TopicParty, boolean>([
  ['order-command-handler', true],
  ['file-gateway', true],
  ['catalog-publisher', false],
]);

export interface ReplayedTopic {
  readonly topic: TopicName;
  /** The app that publishes the topic, and publishes it again. */
  readonly app: TopicParty;
  readonly hasOrders: boolean;
  /** True: of each key only the newest record counts, and only it may be published again. */
  readonly isCompacted: boolean;
}

/** Topics that Gondola publishes for ERPs and can publish again. */
export const REPLAYED_TOPICS: readonly ReplayedTopic[] = TOPIC_NAMES.flatMap((topic) => {
  const { writers, readers, cleanup } = topicSpec(topic);
  const [app = 'erp'] = writers;
  const hasOrders = APPS.get(app);
  if (hasOrders === undefined || !readers.includes('erp')) return [];
  return [{ topic, app, hasOrders, isCompacted: cleanup === 'compact' }];
});

export function replayedTopic(name: string): ReplayedTopic | undefined {
  return REPLAYED_TOPICS.find(({ topic }) => topic === name);
}

/** Gondola's topic of a name without prefix, with or without its version; undefined: it is another's. */
export function gondolaTopic(name: string): TopicName | undefined {
  return TOPIC_NAMES.flatMap((topic) => [topic, shadowTopic(topic)]).find((topic) =>
    [name, `${name}.v1`].includes(topic),
  );
}
