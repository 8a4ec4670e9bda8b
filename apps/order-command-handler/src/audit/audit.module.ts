import { Module } from '@nestjs/common';
import { LanesModule } from '../lanes/lanes.module.ts';
import { AuditController } from './audit.controller.ts';
import { AuditOrders } from './audit-orders.service.ts';
import { AuditsRepository } from './audits.repository.ts';
import { ReadAuditedOrder } from './read-audited-order.service.ts';

/** Months whose orders are compared with the shop, for who closes the books. */
@Module({
  imports: [LanesModule],
  controllers: [AuditController],
  providers: [AuditsRepository, ReadAuditedOrder, AuditOrders],
})
export class AuditModule {}
