import type { TopicName } from '@gondola/shared/topics/topics';

/** A place in a partition. */
export interface SentPlace {
  readonly topic: TopicName;
  readonly partition: number;
  readonly offset: bigint;
}
