import { loadConfig } from '../../src/config.ts';
import { createLogger } from '../../src/logger.ts';
import { Sandbox } from '../../src/sandbox.ts';

/**
 * Starts the sandbox in this process. `destination` receives its log lines instead of the standard output; `page` is
 * the folder of the built page.
 */
export async function startApp(
  env: Record<string, string>,
  destination: { write(line: string): void } | undefined,
  page?: string,
): Promise<Sandbox> {
  const config = loadConfig(env);
  const sandbox = new Sandbox(config, createLogger(config.logLevel, destination), page);
  await sandbox.start();
  return sandbox;
}
