import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '@gondola/service-kit/database';
import { classifyDatabaseError } from '@gondola/service-kit/database-errors';
import { LOGGER, type Logger } from '@gondola/service-kit/logger';
import type { Startable } from '@gondola/service-kit/startable';
import { Inject, Injectable } from '@nestjs/common';
import { OperationsRepository, type Operation } from '../outbound/operations.repository.ts';
import { CORE_STEPS, type CoreStep } from './core.step.ts';
import { Doorbells } from './doorbell.ts';

const LOOK_AGAIN_MS = 1_000;
const AFTER_FAILURE_MS = 200;

/**
 * The core: takes accepted operations one by one, the oldest that is due first, each in one transaction that applies it, writes its notifications and ends
 * it. A process that dies in between has done nothing of it, or all. Tested in test/restart.e2e.spec.ts.
 */
@Injectable()
export class CoreWorker implements Startable {
  readonly name = 'core';
  private running: Promise<void> | undefined;
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly operations: OperationsRepository,
    private readonly doorbells: Doorbells,
    @Inject(CORE_STEPS) private readonly steps: readonly CoreStep[],
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.doorbells.core.ring();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      try {
        const worked = await this.takeOne();
        if (worked) this.doorbells.sender.ring();
        else await this.doorbells.core.wait(await this.idleMs());
      } catch (err) {
        this.logger.error({ err }, 'The core could not take an operation');
        await delay(AFTER_FAILURE_MS);
      }
    }
  }

  private async idleMs(): Promise<number> {
    return Math.min(LOOK_AGAIN_MS, (await this.operations.nextDueInMs(this.database)) ?? LOOK_AGAIN_MS);
  }

  private async takeOne(): Promise<boolean> {
    let taken: Operation | undefined;
    try {
      await this.database.transaction(async (tx) => {
        taken = await this.operations.claim(tx);
        if (taken === undefined) return;
        if (taken.directive.silent !== true) await this.stepOf(taken).apply(tx, taken);
        await this.operations.end(tx, taken.seq, taken.directive.silent === true ? 'silent' : 'applied');
      });
    } catch (err) {
      if (taken === undefined || classifyDatabaseError(err) === 'transient') throw err;
      // The core's own 500: nobody is told (only a 4xx makes a failure event), and the queue goes on.
      this.logger.error({ err, operationId: taken.operationId, kind: taken.kind }, 'The core failed at an operation');
      await this.operations.end(this.database, taken.seq, 'crashed');
    }
    return taken !== undefined;
  }

  private stepOf({ kind }: Operation): CoreStep {
    const step = this.steps.find((candidate) => candidate.kind === kind);
    if (step === undefined) throw new Error(`No step of the core takes operations of kind ${kind}`);
    return step;
  }
}
