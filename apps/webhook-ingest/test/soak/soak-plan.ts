import { seededRandom } from './seeded-random.ts';

/**
 * `kill-holder`: SIGKILL to the replica whose relay is active. `freeze-…`: SIGSTOP to all processes of the server.
 * `both-away`: PostgreSQL and Kafka killed, then a replica killed and started while both are away. `kill-spooling`: a
 * replica killed while PostgreSQL is away, and started with what it had spooled when that is back.
 */
export type DisturbanceKind =
  | 'kill-replica'
  | 'kill-holder'
  | 'kill-postgres'
  | 'freeze-postgres'
  | 'kill-kafka'
  | 'freeze-kafka'
  | 'both-away'
  | 'kill-spooling';

/** Counted in notifications that senders are done with, so that a slow machine has the same history as a fast one. */
export interface Disturbance {
  readonly kind: DisturbanceKind;
  /** Which one, where it is not found out by who holds the relay's lock. */
  readonly replica: number;
  /** So many after the end of the one before. */
  readonly after: number;
  /** It lasts for so many. */
  readonly during: number;
}

export interface PlanOptions {
  readonly seed: string;
  readonly kinds: readonly DisturbanceKind[];
  readonly count: number;
  readonly replicas: number;
}

const TAKES_THE_DATABASE: ReadonlySet<DisturbanceKind> = new Set([
  'kill-postgres',
  'freeze-postgres',
  'both-away',
  'kill-spooling',
]);
const FEWEST = 10;
const AFTER = 150;
const DURING = 60;

/** Every kind about equally often, in an order and with sizes that the seed decides. */
export function planDisturbances({ seed, kinds, count, replicas }: PlanOptions): Disturbance[] {
  const random = seededRandom(`${seed}/disturbances`);
  const rounds = Array.from({ length: Math.ceil(count / kinds.length) }, () => random.shuffled(kinds));
  return rounds
    .flat()
    .slice(0, count)
    .map((kind) => ({
      kind,
      replica: random.whole(replicas),
      after: FEWEST + random.whole(AFTER),
      during: FEWEST + random.whole(DURING),
    }));
}

/**
 * Whether PostgreSQL answers nobody for a while; then what one replica keeps may reach the inbox after what another
 * took later.
 */
export function isDatabaseDisturbed(disturbances: readonly Disturbance[]): boolean {
  return disturbances.some(({ kind }) => TAKES_THE_DATABASE.has(kind));
}
