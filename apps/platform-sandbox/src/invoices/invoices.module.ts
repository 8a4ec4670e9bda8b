import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.ts';
import { FilesModule } from '../files/files.module.ts';
import { OrderPayloadModule } from '../order-payload/order-payload.module.ts';
import { OrdersModule } from '../orders/orders.module.ts';
import { InvoicesController } from './invoices.controller.ts';
import { TakeInvoices } from './take-invoices.service.ts';

/** Data and file of an order’s invoice. */
@Module({
  imports: [CoreModule, FilesModule, OrderPayloadModule, OrdersModule],
  controllers: [InvoicesController],
  providers: [TakeInvoices],
})
export class InvoicesModule {}
