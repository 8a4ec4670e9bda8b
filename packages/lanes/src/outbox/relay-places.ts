import type { PoolClient } from 'pg';

import type { SentPlace } from '@gondola/kafka/produce/sent-place';
import type { TopicName } from '@gondola/shared/topics/topics';

/** Records after which the places are stored again; a relay that takes over reads about as many. */
const STORE_EVERY = 2_000;
/** Places of a topic, or of a prefix, that is not written any more. */
const FORGOTTEN_DAYS = 30;

const CLEAN = `
  DELETE FROM relay_places WHERE source = $1 AND stored_at < now() - make_interval(days => ${FORGOTTEN_DAYS})`;

const LOAD = 'SELECT topic, partition, record_offset::text AS "offset" FROM relay_places WHERE source = $1';

const STORE = `
  INSERT INTO relay_places (source, topic, partition, record_offset)
  SELECT $1, * FROM unnest($2::text[], $3::integer[], $4::bigint[])
  ON CONFLICT (source, topic, partition) DO UPDATE SET record_offset = excluded.record_offset, stored_at = now()`;

/**
 * The rows of an earlier version. It would read all since them if it came back; without a row it reads the newest
 * records.
 */
const REPLACE = 'DELETE FROM relay_places WHERE source = $1 AND topic = ANY ($2::text[])';

type PlaceRow = { readonly topic: string; readonly partition: number; readonly offset: string };
type Place = Pick<SentPlace, 'name' | 'partition' | 'offset'>;

/**
 * How far a relay's records are in Kafka, by partition: each place is at or before the first record that it may have
 * sent and not marked. Stored from time to time and at the end, on the connection that holds the lock. A topic is named
 * with its prefix, so the place in one installation's topic is never taken for one in another's.
 */
export class RelayPlaces {
  readonly #source: string;
  readonly #places = new Map<string, Place>();
  readonly #changed = new Set<string>();
  readonly #adopted = new Set<TopicName>();
  /** Names without prefix of which an earlier version stored rows. */
  readonly #replaced = new Set<TopicName>();
  #sent = 0;
  #isDue = false;

  constructor(source: string) {
    this.#source = source;
  }

  async load(connection: PoolClient): Promise<void> {
    await connection.query(CLEAN, [this.#source]);
    const { rows } = await connection.query<PlaceRow>(LOAD, [this.#source]);
    for (const { topic, partition, offset } of rows)
      this.#places.set(keyOf(topic, partition), { name: topic, partition, offset: BigInt(offset) });
  }

  /** Places of a topic by partition. */
  of(topic: TopicName, name: string): ReadonlyMap<number, bigint> {
    this.#adopt(topic, name);
    const found = [...this.#places.values()].filter((place) => place.name === name);
    return new Map(found.map(({ partition, offset }) => [partition, offset]));
  }

  /** `places` of `count` records that Kafka acknowledged; the records of the send before are marked. */
  note(places: readonly SentPlace[], count: number): void {
    for (const place of places) {
      this.#adopt(place.topic, place.name);
      this.#set(place);
    }
    this.#sent += count;
  }

  /** Drops places beyond these ends of their partitions: they are of a topic that was deleted and made anew. */
  drop(ends: readonly SentPlace[]): void {
    for (const { name, partition, offset } of ends) {
      const key = keyOf(name, partition);
      if ((this.#places.get(key)?.offset ?? offset) > offset) this.#places.delete(key);
    }
  }

  /** `ends` of partitions before which nothing is left that was sent and not marked. */
  raise(ends: readonly SentPlace[]): void {
    for (const end of ends) {
      const { offset } = this.#places.get(keyOf(end.name, end.partition)) ?? { offset: -1n };
      if (offset >= end.offset) continue;
      this.#set(end);
      this.#isDue = true;
    }
  }

  /** Stores the places if many records were sent since they were stored, or a partition's is missing or far behind. */
  async storeIfDue(connection: PoolClient): Promise<void> {
    if (this.#isDue || this.#sent >= STORE_EVERY) await this.store(connection);
  }

  async store(connection: PoolClient): Promise<void> {
    const places = [...this.#changed].flatMap((key) => this.#places.get(key) ?? []);
    const columns = [places.map(({ name }) => name), places.map(({ partition }) => partition)];
    await connection.query(STORE, [this.#source, ...columns, places.map(({ offset }) => String(offset))]);
    if (this.#replaced.size > 0) await connection.query(REPLACE, [this.#source, [...this.#replaced]]);
    this.#changed.clear();
    this.#replaced.clear();
    this.#sent = 0;
    this.#isDue = false;
  }

  /**
   * Takes over the places that an earlier version stored under the topic's name without prefix. The later place counts:
   * only the version that had the lock last moved its own on. One that is too late because it is of another prefix does
   * no harm: nobody has sent without marking here since, as the other sent all that waited there.
   */
  #adopt(topic: TopicName, name: string): void {
    if (name === topic || this.#adopted.has(topic)) return;
    this.#adopted.add(topic);
    const found = [...this.#places].filter(([, place]) => place.name === topic);
    for (const [key, { partition, offset }] of found) {
      this.#places.delete(key);
      this.#replaced.add(topic);
      if ((this.#places.get(keyOf(name, partition))?.offset ?? -1n) < offset) this.#set({ name, partition, offset });
    }
  }

  #set({ name, partition, offset }: Place): void {
    const key = keyOf(name, partition);
    const before = this.#places.get(key)?.offset;
    // A place that falls is of a topic that was made anew; the stored one would hide what is sent to it now.
    this.#isDue ||= before === undefined || offset < before;
    this.#places.set(key, { name, partition, offset });
    this.#changed.add(key);
  }
}

function keyOf(name: string, partition: number): string {
  return `${name}/${partition}`;
}
