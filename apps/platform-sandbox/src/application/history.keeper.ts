import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '@gondola/service-kit/database/database';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Inject, Injectable } from '@nestjs/common';
import { SANDBOX_SETTINGS, type SandboxSettings } from '../config.ts';
import { HistoryRepository } from '../outbound/history.repository.ts';

/** Keeps the history of operations and notifications from growing without end. Tested in test/history.e2e.spec.ts. */
@Injectable()
export class HistoryKeeper implements Startable {
  readonly name = 'history';
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly history: HistoryRepository,
    @Inject(SANDBOX_SETTINGS) private readonly settings: SandboxSettings,
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
      await delay(this.settings.historySweepMs, undefined, { signal }).catch(() => {});
    }
  }

  private async sweep(): Promise<void> {
    const { historyKept } = this.settings;
    await this.history.forgetOperations(this.database, historyKept);
    await this.history.forgetRejections(this.database, historyKept);
    await this.database.transaction((tx) => this.history.forgetDeliveries(tx, historyKept));
  }
}
