import { Module } from '@nestjs/common';
import { PdfResultsModule } from '../pdf-results/pdf-results.module.ts';
import { FactsModule } from '../facts/facts.module.ts';
import { OrdersModule } from '../orders/orders.module.ts';
import { PlatformModule } from '../platform/platform.module.ts';
import { SkusModule } from '../skus/skus.module.ts';
import { CallPlatform } from './call-platform.service.ts';
import { LoadOrderLanes } from './load-order-lanes.service.ts';
import { OrderLanes } from './order-lanes.service.ts';
import { OrderTenants } from './order-tenants.service.ts';
import { ReadOrder } from './read-order.service.ts';
import { SaveOrderLanes } from './save-order-lanes.service.ts';
import { SendChange } from './send-change.service.ts';

/** The steps of orders' lanes: load, decide, save or call. */
@Module({
  imports: [FactsModule, OrdersModule, SkusModule, PdfResultsModule, PlatformModule],
  providers: [OrderTenants, OrderLanes, LoadOrderLanes, SaveOrderLanes, CallPlatform, SendChange, ReadOrder],
  exports: [LoadOrderLanes],
})
export class LanesModule {}
