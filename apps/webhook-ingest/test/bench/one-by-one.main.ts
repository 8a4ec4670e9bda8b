// For `npm run bench -- ingest`: the app without group commit, so that each request has its own statement and
// transaction.
import 'reflect-metadata';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';
import { runApp } from '@gondola/service-kit/run/run-app';
import { appOptions } from '../../src/app.module.ts';
import { APP, loadConfig } from '../../src/config.ts';
import { Inbox } from '../../src/inbox/inbox.service.ts';
import { WebhookMetrics } from '../../src/webhook/webhook.metrics.ts';
import { WebhookRoute } from '../../src/webhook/webhook.route.ts';

await runApp(() => {
  const config = loadConfig(process.env);
  const logger = createLogger({ app: APP, level: config.log.level });
  return {
    ...appOptions(config, logger),
    directRoute: (app) => {
      const inbox = app.get(Inbox, { strict: false });
      const metrics = app.get(WebhookMetrics, { strict: false });
      const oneByOne = {
        store: async (item: Parameters<Inbox['storeAll']>[0][number]) => (await inbox.storeAll([item]))[0]!,
      };
      return new WebhookRoute(oneByOne, metrics, app.get(Clock, { strict: false }), logger, config);
    },
  };
});
