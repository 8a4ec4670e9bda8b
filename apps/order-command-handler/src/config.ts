import { configGroup, type Environment, readConfig } from '@gondola/service-kit/config/config';
import { appShapes, tenantsShape, wholeNumber } from '@gondola/service-kit/config/config-shapes';
import { lanesShape } from '@gondola/service-kit/config/lanes-config';
import { loadTenants } from '@gondola/service-kit/config/tenants-file';
import { tracingShape } from '@gondola/service-kit/config/tracing-config';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@gondola/shared/durations';

export const APP = 'order-command-handler';

/**
 * How often an order is read that waits for what may have been lost, a refund after 750 or a missing 300: after the
 * first pause, then after twice as long each time, up to the longest.
 */
const watchShape = configGroup(
  {
    CANCEL_READ_MS: wholeNumber({ min: 100, max: HOUR_MS, default: MINUTE_MS }),
    PAID_NOTICE_READ_MS: wholeNumber({ min: 100, max: HOUR_MS, default: 2 * MINUTE_MS }),
    CANCEL_READ_MAX_MS: wholeNumber({ min: 100, max: DAY_MS, default: HOUR_MS }),
  },
  (env) => ({
    firstMs: env.CANCEL_READ_MS,
    paidNoticeMs: env.PAID_NOTICE_READ_MS,
    longestMs: env.CANCEL_READ_MAX_MS,
  }),
);

/** From one look for orders that are old enough to lose their personal data to the next. */
const retentionShape = configGroup(
  { RETENTION_EVERY_MS: wholeNumber({ min: 50, max: DAY_MS, default: MINUTE_MS }) },
  (env) => ({ everyMs: env.RETENTION_EVERY_MS }),
);

export type Config = ReturnType<typeof loadConfig>;

/** Everything that the environment says. Throws one `ConfigError` with all problems. */
export function loadConfig(env: Environment) {
  const config = readConfig(
    {
      ...appShapes(APP, 8083),
      tracing: tracingShape(APP),
      tenantsFile: tenantsShape,
      times: lanesShape,
      watch: watchShape,
      retention: retentionShape,
    },
    env,
  );
  return { ...config, tenants: loadTenants(config.tenantsFile.file, env, ['platform']) };
}
