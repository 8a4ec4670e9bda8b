import 'reflect-metadata';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { createApp, type RunningApp } from '@gondola/service-kit/run/create-app';
import { appOptions } from '../../src/app.module.ts';
import { APP_NAME, loadConfig } from '../../src/config.ts';

/**
 * Starts the sandbox in this process and waits until it is ready. `destination` receives its log lines instead of
 * the standard output.
 */
export async function startApp(
  env: Record<string, string>,
  destination: { write(line: string): void } | undefined,
): Promise<RunningApp> {
  const config = loadConfig(env);
  const logger = createLogger({ app: APP_NAME, level: config.log.level, ...(destination && { destination }) });
  const running = await createApp(appOptions(config, logger));
  await running.start();
  return running;
}
