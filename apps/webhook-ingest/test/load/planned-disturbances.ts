import { seededRandom } from './seeded-random.ts';

/**
 * `kill-holder`: SIGKILL to the replica whose relay is active. `freeze-…`: SIGSTOP to all processes of the server.
 * `both-away`: PostgreSQL and Kafka are killed, then a replica is killed and started while both are away.
 * `kill-spooling`: a replica is killed while PostgreSQL is away, and started with its spool when PostgreSQL is
 * back.
 */
export const DISTURBANCES = [
  'kill-replica',
  'kill-holder',
  'kill-postgres',
  'freeze-postgres',
  'kill-kafka',
  'freeze-kafka',
  'both-away',
  'kill-spooling',
] as const;
export type DisturbanceKind = (typeof DISTURBANCES)[number];

/** Counted in finished notifications, so that a slow machine has the same history as a fast one. */
export interface Disturbance {
  readonly kind: DisturbanceKind;
  /** The replica, unless the holder of the relay's lock determines it. */
  readonly replica: number;
  /** Finished notifications between the end of the previous disturbance and the start of this one. */
  readonly after: number;
  /** Finished notifications during the disturbance. */
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

/** All kinds about equally often; the seed determines order and sizes. */
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
 * True if PostgreSQL is away for a while: notifications in one replica's spool may then reach the inbox after newer
 * ones that another replica took.
 */
export function isDatabaseDisturbed(disturbances: readonly Disturbance[]): boolean {
  return disturbances.some(({ kind }) => TAKES_THE_DATABASE.has(kind));
}
