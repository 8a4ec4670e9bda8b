import type { PoolClient } from 'pg';

import type { SentPlace } from '../kafka/sent-place.ts';
import type { TopicName } from '@gondola/shared/topics/topics';

/** Records after which the places are stored again; a relay that takes over reads about as many. */
const STORE_EVERY = 2_000;

const LOAD = 'SELECT topic, partition, record_offset::text AS "offset" FROM relay_places WHERE source = $1';

const STORE = `
  INSERT INTO relay_places (source, topic, partition, record_offset)
  SELECT $1, * FROM unnest($2::text[], $3::integer[], $4::bigint[])
  ON CONFLICT (source, topic, partition) DO UPDATE SET record_offset = excluded.record_offset`;

type PlaceRow = { readonly topic: TopicName; readonly partition: number; readonly offset: string };

/**
 * How far a relay's records are in Kafka, by partition: each place is at or before the first record that it may have
 * sent and not marked. Stored from time to time and at the end, on the connection that holds the lock.
 */
export class RelayPlaces {
  readonly #source: string;
  readonly #places = new Map<string, SentPlace>();
  #sent = 0;
  #isNew = false;

  constructor(source: string) {
    this.#source = source;
  }

  async load(connection: PoolClient): Promise<void> {
    const { rows } = await connection.query<PlaceRow>(LOAD, [this.#source]);
    for (const { topic, partition, offset } of rows) this.#set({ topic, partition, offset: BigInt(offset) });
    this.#isNew = false;
  }

  /** Places of a topic by partition. */
  of(topic: TopicName): ReadonlyMap<number, bigint> {
    const found = [...this.#places.values()].filter((place) => place.topic === topic);
    return new Map(found.map(({ partition, offset }) => [partition, offset]));
  }

  /** `places` of `count` records that Kafka acknowledged; the records of the send before are marked. */
  note(places: readonly SentPlace[], count: number): void {
    for (const place of places) this.#set(place);
    this.#sent += count;
  }

  /** Stores the places if many records were sent since they were stored, or a partition has none yet. */
  async storeIfDue(connection: PoolClient): Promise<void> {
    if (this.#isNew || this.#sent >= STORE_EVERY) await this.store(connection);
  }

  async store(connection: PoolClient): Promise<void> {
    const places = [...this.#places.values()];
    const columns = [places.map(({ topic }) => topic), places.map(({ partition }) => partition)];
    await connection.query(STORE, [this.#source, ...columns, places.map(({ offset }) => String(offset))]);
    this.#sent = 0;
    this.#isNew = false;
  }

  #set(place: SentPlace): void {
    const key = `${place.topic}/${place.partition}`;
    this.#isNew ||= !this.#places.has(key);
    this.#places.set(key, place);
  }
}
