import { settlesWithin } from '@gondola/messaging/within';
import type { Startable } from '@gondola/service-kit/run/startable';

export interface StoreParts {
  /** Connects and migrates; a call while that is under way waits for the same. */
  readonly connect: () => Promise<void>;
  readonly importer: Startable;
  /** So long may PostgreSQL hold up the boot. Default 10,000. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 10_000;

/**
 * The places where notifications are kept. First the spool, since it tells whether something is left to import; then
 * the inbox, which a boot waits for, so that nothing goes into the spool without need, but only until the first attempt
 * has failed: the spool takes what comes.
 */
export function storeStartables({ connect, importer, patienceMs = PATIENCE_MS }: StoreParts): Startable[] {
  return [
    importer,
    { name: 'inbox', start: async () => void (await settlesWithin(patienceMs, connect())), stop: async () => {} },
  ];
}
