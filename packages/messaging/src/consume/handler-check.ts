import type { TopicName } from '@gondola/shared/topics/topics';

/**
 * A topic without its one handler, or a handler without its topic, found at boot: the app must not start. Permanent.
 */
export class TopicHandlersError extends Error {
  readonly code = 'TOPIC_HANDLERS';
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'TopicHandlersError';
  }
}

/** How many handlers an app's controllers have for each pattern. */
export type HandlerCounts = ReadonlyMap<string, number>;

/** One sentence for each topic of `reads` that has no handler or several, and for each handler of another topic. */
export function handlerProblems(app: string, reads: readonly TopicName[], handlers: HandlerCounts): string[] {
  const wanted = new Set<string>(reads);
  const missing = reads
    .filter((topic) => !handlers.has(topic))
    .map((topic) => `${app} reads ${topic}, but none of its controllers has a @TopicHandler for it.`);
  const several = [...handlers]
    .filter(([topic, count]) => wanted.has(topic) && count > 1)
    .map(([topic, count]) => `${app} has ${count} handlers for ${topic}; a topic has exactly one.`);
  const foreign = [...handlers.keys()]
    .filter((topic) => !wanted.has(topic))
    .map((topic) => `${app} has a handler for ${topic}, which is not among the topics that it reads.`);
  return [...missing, ...several, ...foreign];
}
