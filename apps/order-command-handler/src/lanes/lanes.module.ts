import { CommandSweep } from '@gondola/lanes/commands/command-sweep';
import { Module, type OnModuleInit } from '@nestjs/common';
import { OrderCommandsConsumer } from '../commands/order-commands.consumer.ts';
import { OrderFactsRepository } from '../facts/order-facts.repository.ts';
import { OrderNotificationsConsumer } from '../notifications/order-notifications.consumer.ts';
import { AttentionMetrics, OrderEventsMetrics } from '../orders/orders.metrics.ts';
import { OrdersRepository } from '../orders/orders.repository.ts';
import { PublishedRecordsRepository } from '../orders/published-records.repository.ts';
import { PdfResultsConsumer } from '../pdf-results/pdf-results.consumer.ts';
import { OLDEST_PDF_RESULT, PdfResultsRepository } from '../pdf-results/pdf-results.repository.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { PlatformClocks } from '../platform/platform-clocks.service.ts';
import { CompareOrders } from '../shadow/compare-orders.service.ts';
import { SeenOrders } from '../shadow/seen-orders.service.ts';
import { ArrivedSkusRepository } from '../skus/arrived-skus.repository.ts';
import { SkuSnapshotsConsumer } from '../skus/sku-snapshots.consumer.ts';
import { SkusRepository } from '../skus/skus.repository.ts';
import { WakeAwaitingOrders } from '../skus/wake-awaiting-orders.service.ts';
import { CallPlatform } from './call-platform.service.ts';
import { EndWithdrawals } from './end-withdrawals.service.ts';
import { LoadOrderLanes } from './load-order-lanes.service.ts';
import { NextStep } from './next-step.service.ts';
import { OrderLanes } from './order-lanes.service.ts';
import { OrderTenants } from './order-tenants.service.ts';
import { ReadOrder } from './read-order.service.ts';
import { SaveOrderLanes } from './save-order-lanes.service.ts';
import { SendChange } from './send-change.service.ts';

/** Stored state of orders: facts, published state, results of PDFs, and the SKUs that resolve their items. */
const STORED = [
  OrderFactsRepository,
  OrdersRepository,
  PublishedRecordsRepository,
  PdfResultsRepository,
  SkusRepository,
];
const STEPS = [
  OrderTenants,
  OrderLanes,
  LoadOrderLanes,
  SaveOrderLanes,
  EndWithdrawals,
  CallPlatform,
  SendChange,
  ReadOrder,
  NextStep,
];
const PLATFORM = [PlatformAdapter, PlatformClocks];

/**
 * The lanes of orders: topics become queued commands, facts, results and SKUs; steps load, decide, save or call.
 *
 * Results of PDFs are deleted before the commands that they belong to: a command whose id is used again after that
 * finds none.
 */
@Module({
  controllers: [OrderCommandsConsumer, OrderNotificationsConsumer, PdfResultsConsumer, SkuSnapshotsConsumer],
  providers: [
    ...STORED,
    ...STEPS,
    ...PLATFORM,
    CompareOrders,
    SeenOrders,
    ArrivedSkusRepository,
    WakeAwaitingOrders,
    OrderEventsMetrics,
    AttentionMetrics,
  ],
  exports: [...STORED, LoadOrderLanes, PlatformAdapter],
})
export class LanesModule implements OnModuleInit {
  constructor(
    private readonly sweep: CommandSweep,
    private readonly pdfResults: PdfResultsRepository,
  ) {}

  onModuleInit(): void {
    this.sweep.beforehand((before) => this.pdfResults.deleteBefore(before));
    this.sweep.watch('pdf_results', OLDEST_PDF_RESULT);
  }
}
