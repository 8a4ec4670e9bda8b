import { settlesWithin } from '@gondola/service-kit/run/within';
import { Database } from '@gondola/service-kit/database/database';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Injectable } from '@nestjs/common';

/** Longest delay of the boot by PostgreSQL. */
const PATIENCE_MS = 10_000;

/**
 * Makes the boot wait for the inbox, so that the spool is not used needlessly. The wait ends when the first attempt
 * has failed: deliveries then go into the spool. A call of `connect` while the database connects waits for the same
 * attempt.
 */
@Injectable()
export class InboxStart implements Startable {
  readonly name = 'inbox';

  constructor(private readonly database: Database) {}

  async start(): Promise<void> {
    await settlesWithin(PATIENCE_MS, this.database.connect());
  }

  async stop(): Promise<void> {}
}
