import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { LanesModule } from '../lanes/lanes.module.ts';
import { BeginRecovery, ScanForGaps } from './begin-recovery.service.ts';
import { LookAtOrder } from './look-at-order.service.ts';
import { LookUpOrders } from './look-up-orders.service.ts';
import { OpenOrdersRepository } from './open-orders.repository.ts';
import { RecoveryController } from './recovery.controller.ts';
import { RecoveryMetrics } from './recovery.metrics.ts';
import { RecoveryRepository } from './recovery.repository.ts';

/**
 * Orders whose notifications were lost: asked for by an operator, found as gaps in the order numbers, or open orders of
 * which nothing was heard.
 */
@Starts(ScanForGaps)
@Module({
  imports: [LanesModule],
  controllers: [RecoveryController],
  providers: [
    RecoveryRepository,
    OpenOrdersRepository,
    BeginRecovery,
    LookUpOrders,
    LookAtOrder,
    ScanForGaps,
    RecoveryMetrics,
  ],
})
export class RecoveryModule {}
