import { Module } from '@nestjs/common';
import { OutcomesModule } from '../outcomes/outcomes.module.ts';
import { ProductStateModule } from '../product-state/product-state.module.ts';
import { LoadValues } from './load-values.service.ts';
import { SaveValues } from './save-values.service.ts';
import { PriceFamily, StockFamily, WarehouseFamily } from './value-family.service.ts';
import { ValueLanesRepository } from './value-lanes.repository.ts';

/** Prices, warehouses and stock: absolute values. */
@Module({
  imports: [OutcomesModule, ProductStateModule],
  providers: [ValueLanesRepository, LoadValues, SaveValues, PriceFamily, WarehouseFamily, StockFamily],
  exports: [ValueLanesRepository, PriceFamily, WarehouseFamily, StockFamily],
})
export class ValuesModule {}
