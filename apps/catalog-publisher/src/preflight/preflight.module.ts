import { Module } from '@nestjs/common';
import { LanesModule } from '../lanes/lanes.module.ts';
import { ProductStateModule } from '../product-state/product-state.module.ts';
import { ReferencesModule } from '../references/references.module.ts';
import { CheckRecords } from './check-records.service.ts';
import { PreflightController } from './preflight.controller.ts';

/** Checks records before they are produced. */
@Module({
  imports: [LanesModule, ProductStateModule, ReferencesModule],
  controllers: [PreflightController],
  providers: [CheckRecords],
})
export class PreflightModule {}
