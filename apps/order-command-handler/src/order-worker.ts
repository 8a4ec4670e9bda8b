import { randomBytes } from 'node:crypto';
import type { Attempts } from '@gondola/messaging/commands/attempts';
import type { Commands } from '@gondola/messaging/commands/commands';
import type { StepSaver } from '@gondola/messaging/commands/step-saver';
import type { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import type { LaneSteps } from '@gondola/messaging/lanes/lane-workers';
import type { Lanes } from '@gondola/messaging/lanes/lanes';
import type { Database } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { retrySettings } from '@gondola/shared/commands/retry';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { LoadOrderLanes } from './lanes/load-order-lanes.service.ts';
import { ORDER_LANE } from './orders/order-lane.ts';
import type { OrderPlatform } from './platform/order-calls.ts';
import type { EventReport } from './orders/order-events.metrics.ts';
import type { FactStore, OrderStore, PdfResultStore, SkuStore } from './orders/order-stores.ts';
import { ReadOrder } from './lanes/read-order.service.ts';
import { RunOrderLanes } from './lanes/run-order-lanes.service.ts';
import { SaveOrderLanes } from './lanes/save-order-lanes.service.ts';
import { SendChange } from './lanes/send-change.service.ts';
import type { Config } from './config.ts';
import type { CommandSettings } from './commands/decision.ts';

/** What the workers of all tenants share. */
export interface OrderWorkerParts {
  readonly database: Database;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly attempts: Attempts;
  readonly save: StepSaver;
  readonly facts: FactStore;
  readonly orders: OrderStore;
  readonly skus: SkuStore;
  readonly pdfResults: PdfResultStore;
  readonly events: EventReport;
  readonly consumed: Pick<ConsumedRecords, 'hasConsumedUpTo'>;
  readonly logger: Logger;
  readonly now: () => number;
}

/** Lanes folded in one step. */
const BATCH_SIZE = 25;
/** Longest pause before an invoice's first reading is repeated. */
const MAX_READ_BACK_MS = 1_000;

/** The steps of one tenant's order lanes. */
export function orderSteps(
  { times, watch }: Pick<Config, 'times' | 'watch'>,
  tenant: TenantConfig,
  platform: OrderPlatform,
  parts: OrderWorkerParts,
): LaneSteps {
  const { language, deadlines } = tenant;
  const maxCalls = tenant.platform.concurrency;
  const run = new RunOrderLanes({
    ...parts,
    steps: parts.save,
    platform,
    language,
    maxCalls,
    load: new LoadOrderLanes({ ...parts, platform, tenant: tenant.id, language, units: tenant.catalog.units }),
    save: new SaveOrderLanes({ ...parts, language, invoiceMs: deadlines.invoiceMs }),
    sendChange: new SendChange({
      ...parts,
      platform,
      deadlines,
    }),
    read: new ReadOrder({ ...parts, platform }),
    settings: { ...commandSettings(times.lostAnswerMs, deadlines), watch },
    random: Math.random,
    randomBytes,
  });
  return { kind: ORDER_LANE, batchSize: BATCH_SIZE, step: (claimed, signal) => run.step(claimed, signal) };
}

function commandSettings(
  lostAnswerMs: number,
  { commandMs: deadlineMs, invoiceMs }: TenantConfig['deadlines'],
): Omit<CommandSettings, 'watch'> {
  const readBackMs = Math.min(lostAnswerMs, MAX_READ_BACK_MS);
  return { ...retrySettings({ deadlineMs, lostAnswerMs }), invoiceMs, readBackMs };
}
