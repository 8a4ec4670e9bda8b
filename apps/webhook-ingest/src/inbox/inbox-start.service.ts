import { settlesWithin } from '@gondola/messaging/within';
import { Database } from '@gondola/service-kit/database/database';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Injectable } from '@nestjs/common';

/** So long may PostgreSQL hold up the boot. */
const PATIENCE_MS = 10_000;

/**
 * A boot waits for the inbox, so that nothing goes into the spool without need, but only until the first attempt has
 * failed: the spool takes what comes. A call of `connect` while the database connects waits for the same.
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
