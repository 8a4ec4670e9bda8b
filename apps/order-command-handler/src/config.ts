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

export const APP = 'order-command-handler';
export const CONFIG = Symbol('order-command-handler configuration');

/** Times of the lanes, in milliseconds; the deadlines are the tenant's. */
const timesShape = configGroup(
  {
    LANE_LEASE_MS: wholeNumber({ min: 1_000, max: 600_000, default: 60_000 }),
    PLATFORM_TIMEOUT_MS: wholeNumber({ min: 100, max: 300_000, default: 30_000 }),
    LOST_ANSWER_MS: wholeNumber({ min: 100, max: 600_000, default: 5_000 }),
  },
  (env) => ({
    leaseMs: env.LANE_LEASE_MS,
    platformTimeoutMs: env.PLATFORM_TIMEOUT_MS,
    lostAnswerMs: env.LOST_ANSWER_MS,
  }),
);

export type Config = ReturnType<typeof loadConfig>;

/** Everything that the environment says. Throws one `ConfigError` with all problems. */
export function loadConfig(env: Environment) {
  const config = readConfig(
    {
      http: httpShape(8083),
      database: databaseShape(APP),
      kafka: kafkaShape,
      log: logShape,
      tenantsFile: tenantsShape,
      times: timesShape,
    },
    env,
  );
  return { ...config, tenants: loadTenants(config.tenantsFile.file, env) };
}
