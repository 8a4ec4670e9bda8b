import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type KafkaServer, startKafka } from '@gondola/local-stack/kafka';
import { type PostgresServer, startPostgres } from '@gondola/local-stack/postgres';
import { IngestBench } from './support/ingest-bench.ts';
import { sized } from './support/size.ts';
import { Replicas } from './soak/replicas.ts';
import { type DisturbanceKind, planDisturbances } from './soak/soak-plan.ts';
import { soakRound } from './soak/soak-round.ts';

const REPLICAS = 2;
const SEED = 'outages under load';
const KINDS: readonly DisturbanceKind[] = [
  'freeze-postgres',
  'both-away',
  'kill-spooling',
  'freeze-kafka',
  'kill-postgres',
  'kill-kafka',
  'kill-holder',
];
const LIMIT_MS = 900_000;

let kafka: KafkaServer;
let postgres: PostgresServer;
let bench: IngestBench;
let replicas: Replicas;

beforeAll(async () => {
  [kafka, postgres] = await Promise.all([startKafka(), startPostgres({ durable: false })]);
  bench = await IngestBench.open('outages', {}, { kafkaBrokers: kafka.brokers, databaseUrl: postgres.url });
  replicas = await Replicas.start(bench, REPLICAS);
}, LIMIT_MS);

afterAll(async () => {
  postgres.thaw();
  kafka.thaw();
  await bench.close();
  await Promise.all([kafka.stop(), postgres.stop()]);
}, LIMIT_MS);

describe('PostgreSQL frozen, gone while a replica is killed, and gone together with Kafka with a start in between', () => {
  it(
    'cost nothing: nobody is refused, each 200 is on its topic once and in order, and nothing else is (rule 4, guarantees 1, 2)',
    async () => {
      const disturbances = planDisturbances({
        seed: SEED,
        kinds: KINDS.slice(0, sized(3, KINDS.length)),
        count: sized(3, 2 * KINDS.length),
        replicas: REPLICAS,
      });
      const { violations, log, records } = await soakRound({
        seed: SEED,
        bench,
        replicas,
        servers: { kafka, postgres },
        disturbances,
        senders: 4,
        restMs: sized(100, 0),
      });
      expect({ seed: SEED, violations, refused: log.refused() }).toEqual({ seed: SEED, violations: [], refused: 0 });
      expect(records).toBeGreaterThan(disturbances.length * 20);
    },
    LIMIT_MS,
  );
});
