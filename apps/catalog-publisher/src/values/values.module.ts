import { Module } from '@nestjs/common';
import { OutcomesModule } from '../outcomes/outcomes.module.ts';
import { ProductStateModule } from '../product-state/product-state.module.ts';
import { LoadValues } from './load-values.service.ts';
import { PriceFlow, StockFlow, WarehouseFlow } from './value-flow.service.ts';
import { ValueLanesRepository } from './value-lanes.repository.ts';

/** Prices, warehouses and stock: absolute values. */
@Module({
  imports: [OutcomesModule, ProductStateModule],
  providers: [ValueLanesRepository, LoadValues, PriceFlow, WarehouseFlow, StockFlow],
  exports: [ValueLanesRepository, PriceFlow, WarehouseFlow, StockFlow],
})
export class ValuesModule {}
