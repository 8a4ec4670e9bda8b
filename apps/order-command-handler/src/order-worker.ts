import { randomBytes } from 'node:crypto';
import { Attempts } from '@gondola/messaging/commands/attempts';
import type { CommandReport } from '@gondola/messaging/commands/command-report';
import type { Commands } from '@gondola/messaging/commands/commands';
import { StepSaver } from '@gondola/messaging/commands/step-saver';
import type { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import { LaneWorker } from '@gondola/messaging/lanes/lane-worker';
import type { Lanes } from '@gondola/messaging/lanes/lanes';
import type { Outbox } from '@gondola/messaging/outbox/outbox';
import type { Database } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { retrySettings } from '@gondola/shared/commands/retry';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { LoadOrderLanes } from './application/load-order-lanes.ts';
import { ORDER_LANE, orderNumberOf } from './domain/order-lane.ts';
import { ORDER_COMMANDS, ORDER_RESULTS } from './domain/order-topics.ts';
import type { OrderPlatform } from './application/order-platform.ts';
import type { EventReport } from './application/event-report.ts';
import type { FactStore, OrderStore, PdfResultStore, SkuStore } from './application/order-stores.ts';
import { ReadOrder } from './application/read-order.ts';
import { RunOrderLanes } from './application/run-order-lanes.ts';
import { SaveOrderLanes } from './application/save-order-lanes.ts';
import { SendChange } from './application/send-change.ts';
import type { Config } from './config.ts';
import type { CommandSettings } from './domain/decision.ts';

/** What the workers of all tenants share. */
export interface OrderWorkerParts {
  readonly database: Database;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly outbox: Outbox;
  readonly facts: FactStore;
  readonly orders: OrderStore;
  readonly skus: SkuStore;
  readonly pdfResults: PdfResultStore;
  readonly report: Pick<CommandReport, 'saved'>;
  readonly events: EventReport;
  readonly relay: { wake(): void };
  readonly consumed: Pick<ConsumedRecords, 'hasConsumedUpTo'>;
  readonly logger: Logger;
  readonly now: () => number;
}

/** Lanes folded in one step. */
const BATCH_SIZE = 25;
/** Steps that always find a place, however many calls are under way. */
const STEPS_WITHOUT_CALLS = 2;
/** Longest pause before an invoice's first reading is repeated. */
const MAX_READ_BACK_MS = 1_000;

/** The worker of one tenant's order lanes. */
export function orderWorker(
  { times, watch }: Pick<Config, 'times' | 'watch'>,
  tenant: TenantConfig,
  platform: OrderPlatform,
  parts: OrderWorkerParts,
): LaneWorker {
  const { language, deadlines } = tenant;
  const maxCalls = tenant.platform.concurrency;
  const save = new StepSaver({
    ...parts,
    topics: { commands: ORDER_COMMANDS, results: ORDER_RESULTS },
    aboutOf: (lane) => {
      const orderNumber = orderNumberOf(lane);
      return { entity: orderNumber === null ? null : { kind: 'order', orderNumber: Number(orderNumber) } };
    },
  });
  const run = new RunOrderLanes({
    ...parts,
    steps: save,
    platform,
    language,
    maxCalls,
    load: new LoadOrderLanes({ ...parts, platform, tenant: tenant.id, language, units: tenant.catalog.units }),
    save: new SaveOrderLanes({ ...parts, save, language, invoiceMs: deadlines.invoiceMs }),
    sendChange: new SendChange({
      ...parts,
      save,
      attempts: new Attempts(parts),
      platform,
      deadlineMs: ({ head }) => (head.content.kind === 'invoice' ? deadlines.invoiceMs : deadlines.commandMs),
    }),
    read: new ReadOrder({ ...parts, save, platform }),
    settings: { ...commandSettings(times.lostAnswerMs, deadlines), watch },
    random: Math.random,
    randomBytes,
  });
  return new LaneWorker({
    name: `orders of ${tenant.id}`,
    lanes: parts.lanes,
    tenant: tenant.id,
    kind: ORDER_LANE,
    batchSize: BATCH_SIZE,
    concurrency: maxCalls + STEPS_WITHOUT_CALLS,
    leaseMs: times.leaseMs,
    step: (claimed, signal) => run.step(claimed, signal),
    logger: parts.logger,
  });
}

function commandSettings(
  lostAnswerMs: number,
  { commandMs: deadlineMs, invoiceMs }: TenantConfig['deadlines'],
): Omit<CommandSettings, 'watch'> {
  const readBackMs = Math.min(lostAnswerMs, MAX_READ_BACK_MS);
  return { ...retrySettings({ deadlineMs, lostAnswerMs }), invoiceMs, readBackMs };
}
