import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { BeginRecovery } from './begin-recovery.service.ts';
import { LookUpOrders } from './look-up-orders.service.ts';
import { RecoveryController } from './recovery.controller.ts';
import { RecoveryRepository } from './recovery.repository.ts';
import { ScanForGaps } from './scan-for-gaps.service.ts';

/** Orders whose notifications were lost: asked for by an operator, or found as gaps in the order numbers. */
@Starts(ScanForGaps)
@Module({
  imports: [NotificationsModule],
  controllers: [RecoveryController],
  providers: [RecoveryRepository, BeginRecovery, LookUpOrders, ScanForGaps, PlatformAdapter],
})
export class RecoveryModule {}
