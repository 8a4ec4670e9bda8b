import { Module } from '@nestjs/common';
import { OutcomesModule } from '../outcomes/outcomes.module.ts';
import { RecordsModule } from '../records/records.module.ts';
import { SkusModule } from '../skus/skus.module.ts';
import { LoadValues } from './load-values.service.ts';
import { SaveValues } from './save-values.service.ts';
import { PriceFamily, StockFamily, WarehouseFamily } from './value-family.service.ts';
import { ValueLanesRepository } from './value-lanes.repository.ts';

/** Prices, warehouses and stock: absolute values. */
@Module({
  imports: [OutcomesModule, RecordsModule, SkusModule],
  providers: [ValueLanesRepository, LoadValues, SaveValues, PriceFamily, WarehouseFamily, StockFamily],
  exports: [ValueLanesRepository, PriceFamily, WarehouseFamily, StockFamily],
})
export class ValuesModule {}
