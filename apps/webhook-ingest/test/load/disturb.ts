import type { KafkaServer } from '@gondola/local-stack/kafka';
import type { PostgresServer } from '@gondola/local-stack/postgres';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Replicas } from './replicas.ts';
import type { SentLog } from './sent-log.ts';
import type { Disturbance } from './planned-disturbances.ts';

/** Servers that a disturbance may stop. */
export interface StoppedServers {
  readonly kafka: KafkaServer;
  readonly postgres: PostgresServer;
}

/** Targets of a disturbance. */
export interface Disturbed {
  readonly log: SentLog;
  readonly replicas: Replicas;
  readonly servers: StoppedServers | undefined;
}

const PROGRESS_LIMIT_MS = 300_000;
/** Finished notifications, as many as a fast machine finishes, while a killed replica starts. */
const WHILE_STARTING = 150;

/**
 * Waits for the disturbance's turn, makes it, and undoes it. Returns when all servers are back and all replicas are
 * ready: until then the senders deliver no more than on a fast machine, whose processor a start would else wait for.
 */
export async function disturb(disturbance: Disturbance, disturbed: Disturbed): Promise<void> {
  const { log, replicas } = disturbed;
  const { after, during } = disturbance;
  await progress(log, after);
  await run(disturbance, () => progress(log, during), disturbed);
  await progress(log, WHILE_STARTING);
  await log.rest(replicas.allReady());
}

async function run(
  { kind, replica }: Disturbance,
  lasting: () => Promise<void>,
  { replicas, servers }: Disturbed,
): Promise<void> {
  if (kind === 'kill-replica') return await killed(replica, lasting, replicas);
  if (kind === 'kill-holder') return await killed(await holderOf(replicas), lasting, replicas);
  if (servers === undefined) throw new TypeError(`${kind} needs servers of one's own`);
  const { kafka, postgres } = servers;
  if (kind === 'both-away') {
    await Promise.all([kafka.kill(), postgres.kill()]);
    await killed(replica, lasting, replicas);
    await replicas.ready(replica);
    await lasting();
    await Promise.all([kafka.restart(), postgres.restart()]);
    return;
  }
  if (kind === 'kill-spooling') {
    await postgres.kill();
    await lasting();
    await killed(replica, () => postgres.restart(), replicas);
    return;
  }
  const server = kind === 'kill-kafka' || kind === 'freeze-kafka' ? kafka : postgres;
  if (kind === 'freeze-kafka' || kind === 'freeze-postgres') {
    server.freeze();
    await lasting();
    server.thaw();
    return;
  }
  await server.kill();
  await lasting();
  await server.restart();
}

async function killed(replica: number, lasting: () => Promise<void>, replicas: Replicas): Promise<void> {
  const over = Promise.withResolvers<void>();
  await replicas.kill(replica, over.promise);
  await lasting().finally(() => over.resolve());
}

async function holderOf(replicas: Replicas): Promise<number> {
  const held = async () => {
    const replica = await replicas.holder();
    return replica !== undefined && { replica };
  };
  const { replica } = await waitFor(held, { describe: 'a replica that relays' });
  return replica;
}

async function progress(log: SentLog, count: number): Promise<void> {
  const goal = log.done + count;
  await waitFor(() => log.done >= goal, { describe: `${count} more notifications`, timeoutMs: PROGRESS_LIMIT_MS });
}
