import type { KafkaConfig } from '@gondola/service-kit/config/config-shapes';
import type { TopicName } from '@gondola/shared/topics/topics';

/** Injects the `MessagingOptions` of this app. */
export const MESSAGING_OPTIONS = Symbol('gondola.messaging.options');

export interface MessagingTopics {
  /** Topics with a `@TopicHandler` in this app. */
  readonly reads: readonly TopicName[];
  /** Topics of `reads` whose records precede all others: absolute values that are soon out of date. Default none. */
  readonly urgent?: readonly TopicName[];
  /** Topics whose records this app puts into its outbox, except dead letters. */
  readonly writes: readonly TopicName[];
}

export interface MessagingOptions extends MessagingTopics {
  /** Name as in the contract, such as `order-command-handler`; part of `ce_source`. */
  readonly app: string;
  readonly kafka: KafkaConfig;
  readonly topicPrefix: string;
  /** The consumer group with its prefix: `<prefix>gondola.<app>`. */
  readonly group: string;
  /** Ids of the configured tenants. */
  readonly tenants: readonly string[];
  /** Those of them that are in shadow: with one, `reads` and `writes` hold the twins of their topics, too. */
  readonly shadows: ReadonlySet<string>;
}
