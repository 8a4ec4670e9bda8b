import { configGroup, type Environment, readConfig } from '@gondola/service-kit/config/config';
import { appShapes, tenantsShape, wholeNumber } from '@gondola/service-kit/config/config-shapes';
import { lanesWithUploadsShape } from '@gondola/service-kit/config/lanes-config';
import { loadTenants } from '@gondola/service-kit/config/tenants-file';
import { tracingShape } from '@gondola/service-kit/config/tracing-config';
import { z } from 'zod';
import { DAY_MS, HOUR_MS } from '@gondola/shared/durations';

export const APP = 'file-gateway';

/** The memory of the chart is for contents of this size. */
export const DEFAULT_UPLOAD_BYTES = 50_000_000;

/**
 * Limits of `POST /uploads`. The time limit covers a whole request: a large file over a slow line takes minutes.
 */
const uploadsShape = configGroup(
  {
    UPLOAD_MAX_BYTES: wholeNumber({ min: 1_024, max: 1_000_000_000, default: DEFAULT_UPLOAD_BYTES }),
    UPLOAD_QUOTA_BYTES: wholeNumber({ min: 1_024, max: 100_000_000_000_000, default: 10_000_000_000 }),
    UPLOAD_DISK: z.string().min(1).optional(),
    UPLOAD_KEEP_MS: wholeNumber({ min: 100, max: 365 * DAY_MS, default: 7 * DAY_MS }),
    UPLOAD_REQUEST_MS: wholeNumber({ min: 1_000, max: HOUR_MS / 2, default: 600_000 }),
    UPLOAD_CLEANUP_MS: wholeNumber({ min: 10, max: DAY_MS, default: 60_000 }),
  },
  (env) => ({
    maxBytes: env.UPLOAD_MAX_BYTES,
    quotaBytes: env.UPLOAD_QUOTA_BYTES,
    disk: env.UPLOAD_DISK ?? null,
    keepMs: env.UPLOAD_KEEP_MS,
    requestMs: env.UPLOAD_REQUEST_MS,
    cleanupMs: env.UPLOAD_CLEANUP_MS,
  }),
);

const ADDRESS = /^(\[[0-9a-fA-F:]+\]|[\d.]+|[0-9a-fA-F:]+)(:\d{1,5})?$/;

/** Limits for fetching content by URL or path (rule 31). */
const fetchingShape = configGroup(
  {
    FILES_ROOT: z.string().min(1).optional(),
    FETCH_TIMEOUT_MS: wholeNumber({ min: 100, max: HOUR_MS / 2, default: 60_000 }),
    FETCH_RETRY_MS: wholeNumber({ min: 10, max: HOUR_MS, default: 5_000 }),
    FETCH_DNS_SERVERS: z
      .string()
      .transform((text) => text.split(',').map((server) => server.trim()))
      .refine((servers) => servers.every((server) => ADDRESS.test(server)), 'endereço IP, com porta / IP address, port')
      .optional(),
  },
  (env) => ({
    filesRoot: env.FILES_ROOT ?? null,
    timeoutMs: env.FETCH_TIMEOUT_MS,
    retryMs: env.FETCH_RETRY_MS,
    dnsServers: env.FETCH_DNS_SERVERS ?? [],
  }),
);

/** Intervals of the readings of the platform and of the catalog, in milliseconds. */
const readingsShape = configGroup(
  {
    READ_BACK_MS: wholeNumber({ min: 10, max: 600_000, default: 500 }),
    REFERENCE_CHECK_MS: wholeNumber({ min: 10, max: HOUR_MS, default: 30_000 }),
  },
  (env) => ({ readBackMs: env.READ_BACK_MS, referenceCheckMs: env.REFERENCE_CHECK_MS }),
);

/** The platform's limit for one request of images (docs/platform.md, "Limits": 100 MB, adjustable per customer). */
const imagesShape = configGroup(
  { IMAGE_REQUEST_MAX_BYTES: wholeNumber({ min: 1_024, max: 1_000_000_000, default: 100_000_000 }) },
  (env) => ({ requestMaxBytes: env.IMAGE_REQUEST_MAX_BYTES }),
);

/** Limits of the decoding that checks pictures. */
const picturesShape = configGroup(
  {
    PICTURE_MAX_PIXELS: wholeNumber({ min: 1_000, max: 1_000_000_000, default: 100_000_000 }),
    PICTURE_CHECK_MS: wholeNumber({ min: 100, max: HOUR_MS / 2, default: 20_000 }),
  },
  (env) => ({ maxPixels: env.PICTURE_MAX_PIXELS, checkMs: env.PICTURE_CHECK_MS }),
);

export type Config = ReturnType<typeof loadConfig>;

/** Loads the configuration from the environment. Throws one `ConfigError` with all problems. */
export function loadConfig(env: Environment) {
  const config = readConfig(
    {
      ...appShapes(APP, 8082),
      tracing: tracingShape(APP),
      tenantsFile: tenantsShape,
      uploads: uploadsShape,
      fetching: fetchingShape,
      times: lanesWithUploadsShape,
      readings: readingsShape,
      images: imagesShape,
      pictures: picturesShape,
    },
    env,
  );
  const times = { ...config.times, ...config.readings };
  return { ...config, times, tenants: loadTenants(config.tenantsFile.file, env, ['platform', 'uploads', 'sftp']) };
}
