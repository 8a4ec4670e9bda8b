import { TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import { Module } from '@nestjs/common';
import { LanesModule } from '../lanes/lanes.module.ts';
import { OperationsModule } from '../operations/operations.module.ts';
import { ReferenceStateModule } from '../reference-state/reference-state.module.ts';
import { ValuesModule } from '../values/values.module.ts';
import { ExplanationController } from './explanation.controller.ts';
import { ShowExplanation } from './show-explanation.service.ts';

/** Explains why a product is not in the shop. */
@Module({
  imports: [LanesModule, OperationsModule, ReferenceStateModule, ValuesModule],
  controllers: [ExplanationController],
  providers: [TenantPipe, ShowExplanation],
})
export class ExplanationModule {}
