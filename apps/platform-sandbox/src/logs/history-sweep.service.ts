import { setTimeout as delay } from 'node:timers/promises';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/run/injected';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Inject, Injectable } from '@nestjs/common';
import type { SandboxConfig } from '../config.ts';

/** Removes old operations and notifications. Tested in test/history.e2e.spec.ts. */
@Injectable()
export class HistorySweep implements Startable {
  readonly name = 'history';
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: SandboxConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      try {
        await this.sweep();
      } catch (err) {
        this.logger.warn({ err }, 'Old operations and notifications could not be removed; it is tried again');
      }
      await delay(this.config.settings.historySweepMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Removes what has ended, the oldest first: so many of each kind stay. */
  private async sweep(): Promise<void> {
    const { historyKept } = this.config.settings;
    await this.database.query(
      `DELETE FROM operations WHERE state <> 'waiting' AND seq < (
         SELECT seq FROM operations WHERE state <> 'waiting' ORDER BY seq DESC OFFSET $1 - 1 LIMIT 1
       )`,
      [historyKept],
    );
    await this.database.query(
      'DELETE FROM rejections WHERE id < (SELECT id FROM rejections ORDER BY id DESC OFFSET $1 - 1 LIMIT 1)',
      [historyKept],
    );
    await this.database.transaction((tx) => this.removeDeliveries(tx, historyKept));
  }

  private async removeDeliveries(tx: Tx, remaining: number): Promise<void> {
    // In the order in which a reset locks them.
    await tx.query('LOCK TABLE deliveries, delivery_attempts IN ROW EXCLUSIVE MODE');
    for (const states of [['delivered', 'lost'], ['dead']]) {
      await tx.query(
        `WITH gone AS (
           DELETE FROM deliveries WHERE state = ANY($1) AND id < (
             SELECT id FROM deliveries WHERE state = ANY($1) ORDER BY id DESC OFFSET $2 - 1 LIMIT 1
           ) RETURNING id
         )
         DELETE FROM delivery_attempts a USING gone WHERE a.delivery_id = gone.id`,
        [states, remaining],
      );
    }
  }
}
