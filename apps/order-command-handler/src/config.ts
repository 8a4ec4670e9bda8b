import { type Environment, readConfig } from '@gondola/service-kit/config';
import { databaseShape, httpShape, kafkaShape, logShape, tenantsShape } from '@gondola/service-kit/config-shapes';
import { lanesShape } from '@gondola/service-kit/lanes-config';
import { loadTenants } from '@gondola/service-kit/tenants-file';

export const APP = 'order-command-handler';
export const CONFIG = Symbol('order-command-handler configuration');

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
      times: lanesShape,
    },
    env,
  );
  return { ...config, tenants: loadTenants(config.tenantsFile.file, env, ['platform']) };
}
