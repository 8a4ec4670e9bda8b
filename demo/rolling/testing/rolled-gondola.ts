import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandboxProcess } from '@gondola/local-stack/testing/test-sandbox';
import { deleteTopics, testStack, uniquePrefix, withTestDatabase } from '@gondola/local-stack/test-stack';
import { WAIT_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { Erp } from '../../erp/erp.ts';
import { CatalogOperations, OrderOperations, Uploads } from '../../play/gondola-client.ts';
import { schemaOf, TAKEN_OVER_WITHIN_SECONDS } from '../../play/gondola.ts';
import { OperationsApi } from '../../play/operations-api.ts';
import { Reporter } from '../../play/reporter.ts';
import { SandboxClient } from '../../play/sandbox-client.ts';
import {
  operationsTokenIn,
  secretsOf,
  secretVariables,
  shopCredentials,
  TENANT,
  writeTenantsFile,
} from '../../play/settings.ts';
import type { DemoContext } from '../../play/step.ts';
import { Fleet, type Rolled } from './fleet.ts';

/** A lost webhook stays lost: no search brings it back. */
const NO_RECOVERY = { recovery: { scanEveryMs: null, quietMs: null } };

export interface RolledGondola {
  /** Its operations APIs, uploads and webhook are at the addresses of the fleet's apps. */
  readonly context: DemoContext;
  readonly fleet: Fleet;
  /** Prefix of every topic's name. */
  readonly prefix: string;
}

/** Plays on a fleet of the sources, migrated and started, with a shop and an ERP; a database of its own. */
export async function withRolledGondola(
  sources: string,
  play: (gondola: RolledGondola) => Promise<void>,
): Promise<void> {
  await withTestDatabase('rolling', async (databaseUrl) => {
    const prefix = uniquePrefix('rolling');
    const { kafkaBrokers } = testStack();
    const dir = await mkdtemp(join(tmpdir(), 'gondola-rolling-'));
    const folder = join(import.meta.dirname, '../../test-results/rolling');
    await mkdir(folder, { recursive: true });
    const secrets = await secretsOf(dir);
    const token = await operationsTokenIn(join(dir, 'operations-token'));
    const sandbox = await startSandboxProcess({
      logFile: join(folder, 'platform-sandbox.log'),
      env: { OPERATIONS_TOKEN: token },
    });
    const fleet = await Fleet.create({
      env: {
        ...secretVariables(secrets),
        ...TAKEN_OVER_WITHIN_SECONDS,
        DATABASE_URL: databaseUrl,
        KAFKA_BROKERS: kafkaBrokers,
        TOPIC_PREFIX: prefix,
        TOPIC_PARTITIONS: '4',
        TENANTS_FILE: await writeTenantsFile(dir, sandbox.url, NO_RECOVERY),
        OPERATIONS_TOKEN: token,
        LOG_LEVEL: 'info',
      },
      schemaOf: (app) => schemaOf('', app),
      folder,
    });
    const erp = new Erp(kafkaBrokers.split(','), prefix, `${prefix}erp`);
    const api = (app: Rolled) => new OperationsApi(fleet.url(app), token);
    const context: DemoContext = {
      erp,
      reporter: new Reporter({ write: () => true, isTTY: false }),
      orders: new OrderOperations(api('order-command-handler')),
      catalog: new CatalogOperations(api('catalog-publisher'), TENANT),
      shop: new SandboxClient(sandbox.url, shopCredentials(secrets), token),
      uploads: new Uploads(fleet.url('file-gateway'), secrets.uploadToken),
      webhookUrl: `${fleet.url('webhook-ingest')}/webhooks/platform`,
      ingest: api('webhook-ingest'),
      stepTimeoutMs: WAIT_LIMIT_MS,
    };
    try {
      await fleet.migrate(sources);
      await fleet.roll(sources);
      await erp.connect();
      await play({ context, fleet, prefix });
    } finally {
      await erp.disconnect();
      await fleet.stop();
      await sandbox.stop();
      await deleteTopics(kafkaBrokers, prefix);
      await rm(dir, { recursive: true, force: true });
    }
  });
}
