import { setTimeout as pause } from 'node:timers/promises';

import { waitFor } from '@gondola/local-stack/wait-for';
import type { Database } from '@gondola/service-kit/database/database';

import { eventOf, publish } from './relay-invariants.ts';

export interface Publisher {
  /** Waits until this many more places of each entity are certainly committed. */
  publishMore(places: number): Promise<void>;
  /** Publishes slowly until `wait` has settled: more load would not make a server start or time out sooner. */
  restDuring<T>(wait: () => Promise<T>): Promise<T>;
  /** Ends, and returns the ids that must have arrived. */
  stop(): Promise<string[]>;
}

const ENTITIES = ['1', '2', '3'];
const REST_MS = 50;

/** Publishes places of several entities as fast as possible, and repeats those that may not be committed. */
export function startPublishing(target: Database): Publisher {
  const committed = new Map(ENTITIES.map((entity) => [entity, 0]));
  const end = new AbortController();
  let restMs = 0;
  const publishEntity = async (entity: string): Promise<void> => {
    for (let place = 0; !end.signal.aborted;) {
      try {
        await publish(target, eventOf(entity, place, 'x'.repeat(500)));
        place += 1;
        committed.set(entity, place);
      } catch {
        // It may or may not be committed: it is published again with the same id.
      }
      if (restMs > 0) await pause(restMs);
    }
  };
  const running = Promise.all(ENTITIES.map(publishEntity));
  return {
    publishMore: async (places) => {
      const aim = new Map([...committed].map(([entity, place]) => [entity, place + places]));
      await waitFor(() => [...committed].every(([entity, place]) => place >= aim.get(entity)!), {
        describe: `${places} more places`,
      });
    },
    restDuring: async (wait) => {
      restMs = REST_MS;
      try {
        return await wait();
      } finally {
        restMs = 0;
      }
    },
    stop: async () => {
      end.abort();
      await running;
      return [...committed].flatMap(([entity, places]) =>
        Array.from({ length: places }, (_, place) => `${entity}#${place}`),
      );
    },
  };
}
