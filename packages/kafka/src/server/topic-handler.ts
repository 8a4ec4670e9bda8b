import { type ArgumentsHost, Catch, type ExceptionFilter, UseFilters } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';

import { type LiveTopic, liveTopic, type TopicName } from '@gondola/shared/topics/topics';

import type { InRecord } from '../records/record-codec.ts';

/** Records of one partition in their order; at least one. `topic`: of the contract, also for those of a twin. */
export interface RecordBatch {
  readonly topic: LiveTopic;
  readonly partition: number;
  readonly records: readonly InRecord[];
}

/**
 * Passes errors on unchanged. Nest would replace each error by `{ status: 'error', message: 'Internal server error'
 * }`, after which a database that is away looks like a record that cannot be stored.
 */
@Catch()
class PassErrorFilter implements ExceptionFilter {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Marks the one method of an app that handles the records of `topics`: `handle(@Payload() batch: RecordBatch):
 * Promise<void>`. `batch.topic` names the topic.
 *
 * A resolved promise means that the batch is committed to the database; only then is the offset committed. The
 * method runs one transaction and nothing else (no HTTP, no wait), and accepts that the same records arrive twice.
 */
export function TopicHandler(...topics: readonly LiveTopic[]): TopicHandlerDecorator {
  return (target, method, descriptor) => {
    EventPattern(topics)(target, method, descriptor);
    UseFilters(new PassErrorFilter())(target, method, descriptor);
  };
}

/** Accepts only methods of this form. */
export type TopicHandlerDecorator = (
  target: object,
  method: string | symbol,
  descriptor: TypedPropertyDescriptor<(batch: RecordBatch) => Promise<void>>,
) => void;

/**
 * A topic without exactly one handler, or a handler of a topic that the app does not read. Found at boot; the app
 * must not start. Permanent.
 */
export class TopicHandlersError extends Error {
  readonly code = 'TOPIC_HANDLERS';
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'TopicHandlersError';
  }
}

/** Number of handlers in an app's controllers, by pattern. */
type HandlerCounts = ReadonlyMap<string, number>;

/** One sentence for each topic of `reads` without exactly one handler, and for each handler of another topic. */
export function handlerProblems(app: string, reads: readonly TopicName[], handlers: HandlerCounts): string[] {
  const wanted = new Set<string>(reads.map(liveTopic));
  const missing = [...wanted]
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
