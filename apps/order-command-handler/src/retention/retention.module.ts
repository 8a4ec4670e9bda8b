import { ErasuresModule } from '@gondola/operations/erasures/erasures.module';
import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { LanesModule } from '../lanes/lanes.module.ts';
import { EraseOrderContent } from './erase-order-content.service.ts';
import { RedactOldOrders } from './redact-old-orders.service.ts';
import { ShopperOrdersController } from './shopper-orders.controller.ts';
import { ShopperOrdersRepository } from './shopper-orders.repository.ts';

/** `/api/erasures`, and erasure after the retention time. */
@Starts(RedactOldOrders)
@Module({
  imports: [LanesModule, ErasuresModule.register(EraseOrderContent, [LanesModule])],
  controllers: [ShopperOrdersController],
  providers: [ShopperOrdersRepository, EraseOrderContent, RedactOldOrders],
})
export class RetentionModule {}
