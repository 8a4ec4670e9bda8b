import { setTimeout as delay } from 'node:timers/promises';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { classifyDatabaseError } from '@gondola/service-kit/database/database-errors';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Signals, atMost } from '../runtime/signals.service.ts';
import { OperationsRepository, type Operation } from './operations.repository.ts';
import { coreSteps, type CoreStep } from './takes.decorator.ts';

/** Every new operation gives a signal and later due times are known; this interval is only a safety net. */
const LOOK_AGAIN_MS = 120_000;
const AFTER_FAILURE_MS = 200;
const MOST_TOGETHER = 50;

/**
 * The core: takes accepted operations in order, the oldest due one first, in transactions that apply them, write
 * their notifications and mark them as finished. An order's operation has its own transaction; consecutive
 * products, brands, categories, prices or stock of one merchant share one, because each statement is a wait for the
 * database. A process that dies in between has done all of a transaction or nothing of it. Tested in
 * test/restart.long.spec.ts and test/groups.e2e.spec.ts.
 */
@Injectable()
export class CoreWorker implements Startable {
  readonly name = 'core';
  private steps: ReadonlyMap<string, CoreStep> = new Map();
  private running: Promise<void> | undefined;
  private stopping = false;
  /** Number of waiting operations that are read at once. */
  private lookAhead = 1;
  /** Number of next operations that are taken one by one, because they failed together. */
  private aloneLeft = 0;

  constructor(
    private readonly database: Database,
    private readonly operations: OperationsRepository,
    private readonly signals: Signals,
    private readonly discovery: DiscoveryService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    this.steps = coreSteps(this.discovery);
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.signals.core.give();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      try {
        const wake = this.signals.core.next();
        const waitMs = await this.takeSome();
        if (waitMs > 0 && !this.stopping) await atMost(waitMs, wake);
      } catch (err) {
        this.logger.error({ err }, 'The core could not take an operation');
        await delay(AFTER_FAILURE_MS);
      }
    }
  }

  /** Returns the milliseconds until the next look; 0 if more operations are due. */
  private async takeSome(): Promise<number> {
    let taken: readonly Operation[] = [];
    let nextDueInMs: number | undefined;
    try {
      await this.database.transaction(async (tx) => {
        taken = this.groupOf(await this.operations.claim(this.aloneLeft > 0 ? 1 : this.lookAhead, tx));
        if (taken.length === 0) return;
        await this.apply(tx, taken);
        nextDueInMs = await this.operations.end(
          taken.map(({ seq, directive }) => ({ seq, state: directive.silent === true ? 'silent' : 'applied' })),
          tx,
        );
      });
    } catch (err) {
      if (taken.length === 0 || classifyDatabaseError(err) === 'transient') throw err;
      if (taken.length > 1) {
        // One of them fails; separate transactions show which.
        this.aloneLeft = taken.length;
        return 0;
      }
      nextDueInMs = await this.endCrashed(taken, err);
    }
    this.aloneLeft = Math.max(0, this.aloneLeft - taken.length);
    if (taken.length > 0) this.signals.sender.give();
    else nextDueInMs = await this.operations.nextDueInMs();
    return Math.min(LOOK_AGAIN_MS, nextDueInMs ?? LOOK_AGAIN_MS);
  }

  /** The oldest waiting operation and the following ones that can share its transaction: one kind, one merchant. */
  private groupOf(waiting: readonly Operation[]): readonly Operation[] {
    const [first] = waiting;
    if (first === undefined) return [];
    const isGrouped = (this.steps.get(first.kind)?.by ?? 'one') !== 'one';
    this.lookAhead = isGrouped ? MOST_TOGETHER : 1;
    if (!isGrouped) return [first];
    const next = waiting.findIndex(
      ({ kind, contractAccountId }) => kind !== first.kind || contractAccountId !== first.contractAccountId,
    );
    return next === -1 ? waiting : waiting.slice(0, next);
  }

  private async apply(tx: Tx, taken: readonly Operation[]): Promise<void> {
    const heard = taken.filter(({ directive }) => directive.silent !== true);
    const [first] = heard;
    if (first === undefined) return;
    const step = this.steps.get(first.kind);
    if (step === undefined) throw new Error(`No step of the core takes operations of kind ${first.kind}`);
    await step.take(tx, heard);
  }

  /** The core's own 500: no notification (only a 4xx makes a failure event), and the queue continues. */
  private async endCrashed(taken: readonly Operation[], err: unknown): Promise<number | undefined> {
    for (const { operationId, kind } of taken)
      this.logger.error({ err, operationId, kind }, 'The core failed at an operation');
    return this.operations.end(taken.map(({ seq }) => ({ seq, state: 'crashed' })));
  }
}
