// For `npm run bench -- ingest`: the app as it is, but for its groups: every request is a statement, and a transaction,
// of its own.
import 'reflect-metadata';
import { createLogger, LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { runApp } from '@gondola/service-kit/run/run-app';
import type { DynamicModule, Provider } from '@nestjs/common';
import { appOptions } from '../../src/app.module.ts';
import { Inbox } from '../../src/inbox/inbox.service.ts';
import { IngestMetrics } from '../../src/webhook/webhook.metrics.ts';
import { ReceiveNotification } from '../../src/webhook/receive-notification.service.ts';
import { APP, loadConfig } from '../../src/config.ts';

const oneByOne: Provider = {
  provide: ReceiveNotification,
  inject: [Inbox, IngestMetrics, LOGGER],
  useFactory: (inbox: Inbox, metrics: IngestMetrics, logger: Logger) =>
    new ReceiveNotification({
      keep: async (item) => (await inbox.storeAll([item]))[0]!,
      metrics,
      logger,
      now: () => new Date(),
    }),
};

await runApp(() => {
  const config = loadConfig(process.env);
  const options = appOptions(config, createLogger({ app: APP, level: config.log.level }));
  const module = options.module as DynamicModule;
  return { ...options, module: { ...module, providers: [...(module.providers ?? []), oneByOne] } };
});
