import { settlesWithin } from '@gondola/messaging/within';
import type { Logger } from '@gondola/service-kit/logging/logger';
import type { Startable } from '@gondola/service-kit/run/startable';
import { isTransientStartFailure } from '@gondola/service-kit/database/transient';

export interface RelayParts {
  readonly provisionTopics: () => Promise<void>;
  readonly relay: Startable;
  readonly logger: Logger;
  /** So long may Kafka hold up the boot. Default 3,000. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 3_000;

/**
 * The way to Kafka, in two parts. `topics` ends a boot whose topics are unfit before it is ready, but does not wait for
 * a Kafka that is away: what is received then waits in the inbox, and an ingest that is not ready would be sent
 * nothing, and lose it. The relay follows in the background, when the topics are there. Tested in
 * relay-start.service.unit.spec.ts and test/outages.e2e.spec.ts.
 */
export function relayStartables({ provisionTopics, relay, logger, patienceMs = PATIENCE_MS }: RelayParts): Startable[] {
  let areProvisioned = false;
  const provision = async (): Promise<void> => {
    if (areProvisioned) return;
    await provisionTopics();
    areProvisioned = true;
  };
  return [
    { name: 'topics', start: () => unlessAway(provision(), patienceMs, logger), stop: async () => {} },
    {
      name: relay.name,
      background: true,
      start: async () => {
        await provision();
        await relay.start();
      },
      stop: () => relay.stop(),
    },
  ];
}

async function unlessAway(work: Promise<void>, patienceMs: number, logger: Logger): Promise<void> {
  try {
    if (await settlesWithin(patienceMs, work)) await work;
    else
      logger.warn(
        { startable: 'topics', timeoutMs: patienceMs },
        'Kafka does not answer; notifications wait in the inbox',
      );
  } catch (err) {
    if (!isTransientStartFailure(err)) throw err;
    logger.warn({ startable: 'topics', err }, 'Kafka is away; notifications wait in the inbox');
  }
}
