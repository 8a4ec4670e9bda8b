import { join } from 'node:path';
import { testStack } from '@gondola/local-stack/test-stack';
import { WAIT_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { freshRun, type FreshRunOptions } from '../play/fresh-run.ts';
import type { Gondola } from '../play/gondola.ts';
import { Reporter } from '../play/reporter.ts';

/** A slow day lasts until the first scan, which may read an approval whose notification is late on purpose. */
const NO_RECOVERY = { recovery: { scanEveryMs: null, quietMs: null } };

/**
 * Plays on fresh data on the servers of the tests, and returns what was said. Logs are in `test-results/<name>`.
 * Orders are searched for only if `tenant` says so.
 */
export async function testRun(
  name: string,
  play: (gondola: Gondola) => Promise<void>,
  { tenant = NO_RECOVERY, ...more }: Pick<FreshRunOptions, 'tenant' | 'env' | 'envOf'> = {},
): Promise<Reporter> {
  const reporter = new Reporter({ write: () => true, isTTY: false });
  const { kafkaBrokers, databaseUrl } = testStack();
  const logDir = join(import.meta.dirname, '../test-results', name);
  const external = { kafkaBrokers, databaseUrl };
  await freshRun({ reporter, logDir, external, stepTimeoutMs: WAIT_LIMIT_MS, tenant, ...more }, play);
  return reporter;
}
