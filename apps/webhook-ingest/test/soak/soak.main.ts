/**
 * `npm run soak -- --seed 42 --minutes 10`: rounds of load and outages until the time is over; exits with 1 after
 * the first round with a violation.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { startKafka } from '@gondola/local-stack/kafka';
import { startPostgres } from '@gondola/local-stack/postgres';
import { MINUTE_MS } from '@gondola/shared/durations';
import { IngestBench } from '../support/ingest-bench.ts';
import { Replicas } from './replicas.ts';
import { roundText } from './round-text.ts';
import { DISTURBANCES, planDisturbances } from './soak-plan.ts';
import { type RoundReport, soakRound } from './soak-round.ts';

const REPLICAS = 3;
const SENDERS = 8;
const LARGEST_SEED = 1_000_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: { seed: { type: 'string' }, minutes: { type: 'string', default: '1' } },
});
const seed = values.seed ?? String(randomInt(LARGEST_SEED));
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new TypeError('--minutes must be a number above 0');
process.exitCode = await soak().catch(brokenOff);
if (process.exitCode !== 0) say(`Again with the same plan: npm run soak -- --seed ${seed}`);

async function soak(): Promise<number> {
  say(`seed ${seed}, ${minutes} min, ${REPLICAS} replicas, ${SENDERS} senders`);
  const [kafka, postgres] = await Promise.all([startKafka(), startPostgres({ durable: false })]);
  const bench = await IngestBench.open('soak', {}, { kafkaBrokers: kafka.brokers, databaseUrl: postgres.url });
  try {
    return await rounds(bench, { kafka, postgres }).catch(brokenOff);
  } finally {
    postgres.thaw();
    kafka.thaw();
    // A round that failed may leave a server dead, so that the bench cannot be cleaned up.
    await Promise.allSettled([bench.close()]);
    await Promise.all([kafka.stop(), postgres.stop()]);
  }
}

function brokenOff(error: unknown): number {
  say(`The soak broke off: ${String(error)}`);
  return 1;
}

async function rounds(bench: IngestBench, servers: Parameters<typeof soakRound>[0]['servers'] & {}): Promise<number> {
  const replicas = await Replicas.start(bench, REPLICAS);
  const endsAt = performance.now() + minutes * MINUTE_MS;
  let before: RoundReport | undefined;
  for (let round = 1; performance.now() < endsAt; round += 1) {
    const roundSeed = `${seed}/${round}`;
    const disturbances = planDisturbances({
      seed: roundSeed,
      kinds: DISTURBANCES,
      count: DISTURBANCES.length,
      replicas: REPLICAS,
    });
    say(`\nround ${round}: ${disturbances.map(({ kind }) => kind).join(', ')}`);
    before = await soakRound({
      seed: roundSeed,
      bench,
      replicas,
      servers,
      disturbances,
      senders: SENDERS,
      ...(before && { before }),
      onDisturbed: ({ kind, replica, after, during }) =>
        say(`  ${kind} (replica ${replica}, after ${after}, for ${during}) is over`),
    });
    say(roundText(before));
    if (before.violations.length > 0 || before.log.refused() > 0) return 1;
  }
  say(`\n${replicas.kills} replicas killed; nothing lost, doubled, altered, reordered, foreign or refused`);
  return 0;
}
