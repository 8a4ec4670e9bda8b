import { Module } from '@nestjs/common';
import { OperationsMetrics } from './operations.metrics.ts';

/** Counters that several features of the operations API share. */
@Module({ providers: [OperationsMetrics], exports: [OperationsMetrics] })
export class OperationsModule {}
