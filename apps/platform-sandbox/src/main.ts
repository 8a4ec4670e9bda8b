import 'reflect-metadata';
import { createLogger } from '@gondola/service-kit/logger';
import { runApp } from '@gondola/service-kit/run-app';
import { appOptions } from './app-options.ts';
import { APP_NAME, loadConfig } from './config.ts';

await runApp(() => {
  const config = loadConfig(process.env);
  return appOptions(config, createLogger({ app: APP_NAME, level: config.log.level }));
});
