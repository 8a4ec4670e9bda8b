import {
  databaseShape,
  httpShape,
  kafkaShape,
  lanesShape,
  logShape,
  tenantsShape,
} from '@gondola/service-kit/config-shapes';
import { type Environment, readConfig } from '@gondola/service-kit/config';
import { loadTenants } from '@gondola/service-kit/tenants-file';

export const APP = 'catalog-publisher';
export const CONFIG = Symbol('catalog-publisher configuration');

export type Config = ReturnType<typeof loadConfig>;

/** Everything that the environment says. Throws one `ConfigError` with all problems. */
export function loadConfig(env: Environment) {
  const config = readConfig(
    {
      http: httpShape(8084),
      database: databaseShape(APP),
      kafka: kafkaShape,
      log: logShape,
      tenantsFile: tenantsShape,
      times: lanesShape,
    },
    env,
  );
  return { ...config, tenants: loadTenants(config.tenantsFile.file, env) };
}
