import { ErasuresModule } from '@gondola/messaging/erasures/erasures.module';
import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { PdfResultsModule } from '../pdf-results/pdf-results.module.ts';
import { FactsModule } from '../facts/facts.module.ts';
import { OrdersModule } from '../orders/orders.module.ts';
import { EraseOrderContent } from './erase-order-content.service.ts';
import { RedactOldOrders } from './redact-old-orders.service.ts';
import { ShopperOrdersController } from './shopper-orders.controller.ts';
import { ShopperOrdersRepository } from './shopper-orders.repository.ts';

const STORED = [FactsModule, OrdersModule, PdfResultsModule];

/** `/api/erasures`, and erasure after the retention time. */
@Starts(RedactOldOrders)
@Module({
  imports: [...STORED, ErasuresModule.register(EraseOrderContent, STORED)],
  controllers: [ShopperOrdersController],
  providers: [ShopperOrdersRepository, EraseOrderContent, RedactOldOrders],
})
export class RetentionModule {}
