import { requireNode } from '@gondola/service-kit/config/node-version';

requireNode();
await import('reflect-metadata');
const { createLogger } = await import('@gondola/service-kit/logging/logger');
const { runApp } = await import('@gondola/service-kit/run/run-app');
const { appOptions } = await import('./app.module.ts');
const { APP_NAME, loadConfig } = await import('./config.ts');

await runApp(() => {
  const config = loadConfig(process.env);
  return appOptions(config, createLogger({ app: APP_NAME, level: config.log.level }));
});
