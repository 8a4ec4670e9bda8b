import type { TopicName } from '@gondola/shared/topics/topics';

/** A place in a partition. */
export interface SentPlace {
  readonly topic: TopicName;
  /** The topic's name with prefix. */
  readonly name: string;
  readonly partition: number;
  readonly offset: bigint;
}
