import { setTimeout as pause } from 'node:timers/promises';

import { waitFor } from '@gondola/local-stack/wait-for';
import type { Database } from '@gondola/service-kit/database/database';

import { eventOf, tell } from './relay-invariants.ts';

export interface Teller {
  /** Waits until this many more places of each entity are surely committed. */
  tellMore(places: number): Promise<void>;
  /** Rests after each place until that has settled: more load brings no start and no time-out sooner. */
  restDuring<T>(wait: () => Promise<T>): Promise<T>;
  /** Ends, and tells what must have arrived. */
  stop(): Promise<string[]>;
}

const ENTITIES = ['1', '2', '3'];
const REST_MS = 50;

/** Tells places of several entities, as fast as it goes; what may not have been committed is told again. */
export function startTelling(target: Database): Teller {
  const committed = new Map(ENTITIES.map((entity) => [entity, 0]));
  const end = new AbortController();
  let restMs = 0;
  const tellEntity = async (entity: string): Promise<void> => {
    for (let place = 0; !end.signal.aborted;) {
      try {
        await tell(target, eventOf(entity, place, 'x'.repeat(500)));
        place += 1;
        committed.set(entity, place);
      } catch {
        // Perhaps it was committed, perhaps not: the same once more, under the same id.
      }
      if (restMs > 0) await pause(restMs);
    }
  };
  const running = Promise.all(ENTITIES.map(tellEntity));
  return {
    tellMore: async (places) => {
      const aim = new Map([...committed].map(([entity, place]) => [entity, place + places]));
      await waitFor(() => [...committed].every(([entity, place]) => place >= aim.get(entity)!), {
        describe: `${places} more places`,
        timeoutMs: 60_000,
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
