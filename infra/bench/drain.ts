import type { PoolClient } from 'pg';
import { OutboxRelay } from '@gondola/messaging/outbox/outbox-relay';
import type { RecordSender } from '@gondola/messaging/kafka/kafka-sender';
import { AdvisoryRelayLock } from '@gondola/messaging/outbox/relay-lock';
import type { RelayBacklog, RelayRow, RelaySource, RelayStep } from '@gondola/messaging/outbox/relay-source';
import type { Database } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';

export interface DrainOptions {
  database: Database;
  source: RelaySource;
  sender: RecordSender;
  logger: Logger;
}

/** Starts a relay and returns the milliseconds until nothing waits any more; then stops it. */
export async function drain({ database, source, sender, logger }: DrainOptions): Promise<number> {
  const { promise: empty, resolve } = Promise.withResolvers<void>();
  const lock = new AdvisoryRelayLock(database, source.name);
  const relay = new OutboxRelay({ source: new DrainedSource(source, resolve), lock, sender, logger });
  const startedAt = performance.now();
  await relay.start();
  await empty;
  const elapsedMs = performance.now() - startedAt;
  await relay.stop();
  return elapsedMs;
}

/** Wraps a source and reports when all its rows are marked. */
class DrainedSource implements RelaySource {
  readonly name: string;
  readonly #inner: RelaySource;
  readonly #onEmpty: () => void;

  constructor(inner: RelaySource, onEmpty: () => void) {
    this.name = inner.name;
    this.#inner = inner;
    this.#onEmpty = onEmpty;
  }

  async advance(connection: PoolClient, step: RelayStep): Promise<RelayRow[]> {
    const rows = await this.#inner.advance(connection, step);
    if (rows.length === 0 && step.underWay.length === 0) this.#onEmpty();
    return rows;
  }

  async markSent(connection: PoolClient, ids: readonly string[]): Promise<void> {
    await this.#inner.markSent(connection, ids);
  }

  async park(connection: PoolClient, id: string, reason: string): Promise<void> {
    await this.#inner.park(connection, id, reason);
  }

  async backlog(db: Database): Promise<RelayBacklog> {
    return this.#inner.backlog(db);
  }
}
