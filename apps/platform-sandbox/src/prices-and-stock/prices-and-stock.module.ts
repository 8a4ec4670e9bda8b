import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.ts';
import { CoreModule } from '../core/core.module.ts';
import { PricesAndStockController } from './prices-and-stock.controller.ts';
import { TakeRecords } from './take-records.service.ts';

/** `/v1/batch/Pricing`, `/v1/batch/Warehouses`, `/v1/batch/Warehouses/sku` */
@Module({
  imports: [CatalogModule, CoreModule],
  controllers: [PricesAndStockController],
  providers: [TakeRecords],
})
export class PricesAndStockModule {}
