import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Clock } from './clock.ts';
import { CONFIG, TENANTS } from '../config/injected.ts';
import { Randomness } from './randomness.ts';
import { AppInfo } from '../health/app-info.ts';
import type { AppOptions } from './app-options.ts';
import { Database } from '../database/database.ts';
import { UnsweptRows } from './unswept-rows.ts';
import { Health } from '../health/health.ts';
import { HealthController, OperationsController } from '../health/health.controller.ts';
import { LOGGER } from '../logging/logger.ts';
import { createMetrics, MetricsController } from '../health/metrics.controller.ts';
import { OpenApiDocument } from '../http/openapi-document.ts';

/**
 * Services of every app, ready to be injected everywhere: configuration, tenants, logger, database and the watch of
 * its unswept rows, metrics registry, clock, randomness; and the routes for health, metrics and the operations API.
 * Created by `createApp`.
 */
@Module({})
export class KitModule {
  static register(options: AppOptions, health: Health): DynamicModule {
    const info = new AppInfo(options.name, health);
    const providers: Provider[] = [
      { provide: CONFIG, useValue: options.config },
      { provide: TENANTS, useValue: options.config.tenants ?? [] },
      { provide: LOGGER, useValue: options.logger },
      Clock,
      Randomness,
      { provide: Health, useValue: health },
      { provide: Registry, useFactory: () => createMetrics(options.database) },
      { provide: AppInfo, useValue: info },
      { provide: OpenApiDocument, useValue: new OpenApiDocument(info, options.openApi ?? []) },
      ...(options.database === undefined ? [] : [{ provide: Database, useValue: options.database }, UnsweptRows]),
    ];
    return {
      module: KitModule,
      global: true,
      imports: [options.module],
      controllers: [HealthController, MetricsController, OperationsController],
      providers,
      exports: providers.map((provider) => (typeof provider === 'function' ? provider : provider.provide)),
    };
  }
}
