import { Database } from '@gondola/service-kit/database/database';
import { Health } from '@gondola/service-kit/health/health';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { type FactoryProvider, Module } from '@nestjs/common';
import type { Config } from '../config.ts';
import { InboxModule } from '../inbox/inbox.module.ts';
import { InboxOrSpool } from './inbox-or-spool.service.ts';
import { SpoolImporter } from './spool-importer.service.ts';
import { Spool } from './spool.adapter.ts';
import { SpoolMetrics } from './spool.metrics.ts';

const SPOOL: FactoryProvider<Spool> = {
  provide: Spool,
  inject: [CONFIG, LOGGER],
  useFactory: ({ spool }: Pick<Config, 'spool'>, logger: Logger) => new Spool({ ...spool, logger }),
};

/** Stores notifications that the inbox does not take in time in files, and imports them later. */
@Module({
  imports: [InboxModule],
  providers: [SPOOL, InboxOrSpool, SpoolMetrics, SpoolImporter],
  exports: [InboxOrSpool],
})
export class SpoolModule {
  constructor(health: Health, spool: Spool, database: Database) {
    // The app is ready while it can store notifications in either place.
    health.register('store', async () => spool.isWritable || (await database.isUp()));
  }
}
