import { basename } from 'node:path';

import { logEnd, logSince } from '@gondola/local-stack/log-tail';
import type { ProcessExit } from '@gondola/local-stack/process-supervisor';
import { TestServer } from '@gondola/local-stack/testing/test-server';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { TopicName } from '@gondola/shared/topics/topics';
import type { Message } from 'kafkajs';

import { tenantOn, TestInstallation } from './test-installation.ts';

interface TenantRecords {
  readonly topic: TopicName;
  readonly of: (tenant: string) => readonly Message[];
}

interface StopWhileHangingOptions {
  /** Folder of the app, which has lanes. */
  readonly folder: string;
  readonly tenants: readonly string[];
  /** Records that the app must have stored before, each for a separate lane of this kind. */
  readonly facts?: TenantRecords & { readonly lanes: string };
  /** Records that each make the app call the platform. */
  readonly commands: TenantRecords;
  /** Number of calls that hang before the app gets SIGTERM. */
  readonly calls: number;
}

export interface StoppedApp {
  readonly exit: ProcessExit;
  /** Number of leases while the calls hung, and after the end of the process. */
  readonly leases: { readonly before: number; readonly after: number };
  /** Errors that the app logged after the signal. */
  readonly errors: readonly string[];
}

// No call ends by itself, and is made again, before all calls hang.
const ENV = { TOPIC_PARTITIONS: '1', LOG_LEVEL: 'info', LANE_LEASE_MS: '400000', PLATFORM_TIMEOUT_MS: '300000' };
const IS_HELD = 'lease_until IS NOT NULL';

/**
 * Runs an app in a separate process against a platform that does not answer, and sends SIGTERM while its calls hang.
 */
export async function stopWhilePlatformHangs(options: StopWhileHangingOptions): Promise<StoppedApp> {
  const { folder, tenants, facts, commands, calls } = options;
  let hanging = 0;
  const platform = await TestServer.start(() => void (hanging += 1));
  const entries = tenants.map((id, index) => tenant(id, index, platform.url));
  const label = basename(folder);
  const installation = await TestInstallation.create({ label, tenants: entries, env: ENV }, () => platform.stop());
  const count = async (condition: string): Promise<number> =>
    (await installation.query(`SELECT 1 FROM lanes WHERE ${condition}`)).length;
  try {
    const child = await installation.startProcess(folder);
    if (facts !== undefined) {
      const messages = tenants.flatMap(facts.of);
      await installation.send(facts.topic, ...messages);
      const areStored = async () => (await count(`kind = '${facts.lanes}'`)) === messages.length;
      await waitFor(areStored, { describe: `lanes of ${messages.length} facts` });
    }
    await installation.send(commands.topic, ...tenants.flatMap(commands.of));
    await waitFor(() => hanging >= calls || Promise.reject(new Error(`${hanging} calls so far`)), {
      describe: `${calls} calls that hang`,
    });
    const before = await count(IS_HELD);
    const logStart = await logEnd(installation.logFile);
    const exit = await child.stop();
    const leases = { before, after: await count(IS_HELD) };
    const lines = (await logSince(installation.logFile, logStart)).split('\n');
    return { exit, leases, errors: lines.filter((line) => line.includes('"level":"error"')) };
  } finally {
    await installation.close();
  }
}

function tenant(id: string, index: number, baseUrl: string): object {
  const contractAccountId = `11111111-1111-4111-8111-${String(index).padStart(12, '0')}`;
  // Only the commands make calls.
  return tenantOn(baseUrl, { id, contractAccountId, recovery: { scanEveryMs: null, quietMs: null } });
}
