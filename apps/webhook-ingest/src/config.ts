import { configGroup, type Environment, readConfig } from '@gondola/service-kit/config';
import {
  databaseShape,
  httpShape,
  kafkaShape,
  logShape,
  tenantsShape,
  wholeNumber,
} from '@gondola/service-kit/config-shapes';
import { loadTenants } from '@gondola/service-kit/tenants-file';
import type { Receiver } from './domain/read-notification.ts';

export const APP = 'webhook-ingest';
export const CONFIG = Symbol('webhook-ingest configuration');

const MEBIBYTE = 1_048_576;

/** `MAX_BODY_BYTES`: what a platform's notification may be long; the topics take 6 MiB. */
const ingestShape = configGroup(
  { MAX_BODY_BYTES: wholeNumber({ min: 1_024, max: 5 * MEBIBYTE, default: 5_000_000 }) },
  (env) => ({ maxBodyBytes: env.MAX_BODY_BYTES }),
);

export type Config = ReturnType<typeof loadConfig>;

/** Everything that the environment says. Throws one `ConfigError` with all problems. */
export function loadConfig(env: Environment) {
  const config = readConfig(
    {
      http: httpShape(8081),
      database: databaseShape(APP),
      kafka: kafkaShape,
      log: logShape,
      tenantsFile: tenantsShape,
      ingest: ingestShape,
    },
    env,
  );
  const tenants = loadTenants(config.tenantsFile.file, env);
  const receivers: ReadonlyMap<string, Receiver> = new Map(
    tenants.map(({ id, contractAccountId, webhook }) => [id, { id, contractAccountId, users: webhook.users }]),
  );
  return { ...config, tenants, receivers };
}
