import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { CatalogMetrics } from './catalog.metrics.ts';
import { OperationsSweep } from './operations-sweep.service.ts';
import { OperationsRepository } from './operations.repository.ts';
import { PlatformNotificationsConsumer } from './platform-notifications.consumer.ts';
import { ProductReportsRepository } from './product-reports.repository.ts';

/** `platform.notifications.*` → stored reports; wakes the lanes that they are about. */
@Starts(OperationsSweep)
@Module({
  controllers: [PlatformNotificationsConsumer],
  providers: [CatalogMetrics, OperationsRepository, ProductReportsRepository, OperationsSweep],
  exports: [CatalogMetrics, OperationsRepository, ProductReportsRepository],
})
export class OutcomesModule {}
