import { appShapes, tenantsShape, wholeNumber } from '@gondola/service-kit/config/config-shapes';
import { ConfigError, configGroup, type Environment, readConfig } from '@gondola/service-kit/config/config';
import { lanesShape } from '@gondola/service-kit/config/lanes-config';
import { loadTenants, type TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { tracingShape } from '@gondola/service-kit/config/tracing-config';
import { type AssumedReferences, readAssumedReferences } from './waiting/known-references.ts';

export const APP = 'catalog-publisher';

export type Config = ReturnType<typeof loadConfig>;

/** Rate of read-backs for operators, per tenant and process. */
const comparisonShape = configGroup(
  { COMPARE_READS_PER_SECOND: wholeNumber({ min: 1, max: 1_000, default: 5 }) },
  (env) => ({ readsPerSecond: env.COMPARE_READS_PER_SECOND }),
);

/** Everything that the environment says. Throws one `ConfigError` with all problems. */
export function loadConfig(env: Environment) {
  const config = readConfig(
    {
      ...appShapes(APP, 8084),
      tracing: tracingShape(APP),
      tenantsFile: tenantsShape,
      times: lanesShape,
      comparison: comparisonShape,
    },
    env,
  );
  const tenants = loadTenants(config.tenantsFile.file, env, ['platform']);
  return { ...config, tenants, assumed: new Map(tenants.map((tenant) => [tenant.id, assumedOf(tenant)])) };
}

/** Throws a `ConfigError` where `catalog.assumeExists` is not what this app reads. */
function assumedOf({ id, catalog }: TenantConfig): AssumedReferences {
  const read = readAssumedReferences(catalog.assumeExists);
  if (read.ok) return read.assumed;
  const problem = 'brands, categories: true ou lista de referências / true or a list of references';
  throw new ConfigError([{ where: `${id}.catalog.assumeExists.${read.key}`, problem }]);
}
