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

export const APP = 'file-gateway';
export const CONFIG = Symbol('file-gateway configuration');

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Of `POST /uploads`. The time is for a whole request: a large file over a slow line takes minutes. */
const uploadsShape = configGroup(
  {
    UPLOAD_MAX_BYTES: wholeNumber({ min: 1_024, max: 1_000_000_000, default: 50_000_000 }),
    UPLOAD_KEEP_MS: wholeNumber({ min: 100, max: 365 * DAY_MS, default: 7 * DAY_MS }),
    UPLOAD_REQUEST_MS: wholeNumber({ min: 1_000, max: HOUR_MS / 2, default: 600_000 }),
    UPLOAD_CLEANUP_MS: wholeNumber({ min: 10, max: DAY_MS, default: 60_000 }),
  },
  (env) => ({
    maxBytes: env.UPLOAD_MAX_BYTES,
    keepMs: env.UPLOAD_KEEP_MS,
    requestMs: env.UPLOAD_REQUEST_MS,
    cleanupMs: env.UPLOAD_CLEANUP_MS,
  }),
);

/** Times of the lanes, in milliseconds; the deadlines are the tenant's. */
const timesShape = configGroup(
  {
    LANE_LEASE_MS: wholeNumber({ min: 1_000, max: 600_000, default: 60_000 }),
    PLATFORM_TIMEOUT_MS: wholeNumber({ min: 100, max: 300_000, default: 30_000 }),
    PLATFORM_UPLOAD_TIMEOUT_MS: wholeNumber({ min: 100, max: HOUR_MS, default: 180_000 }),
    LOST_ANSWER_MS: wholeNumber({ min: 10, max: 600_000, default: 5_000 }),
    READ_BACK_MS: wholeNumber({ min: 10, max: 600_000, default: 500 }),
    REFERENCE_CHECK_MS: wholeNumber({ min: 10, max: HOUR_MS, default: 30_000 }),
  },
  (env) => ({
    leaseMs: env.LANE_LEASE_MS,
    platformTimeoutMs: env.PLATFORM_TIMEOUT_MS,
    uploadTimeoutMs: env.PLATFORM_UPLOAD_TIMEOUT_MS,
    lostAnswerMs: env.LOST_ANSWER_MS,
    readBackMs: env.READ_BACK_MS,
    referenceCheckMs: env.REFERENCE_CHECK_MS,
  }),
);

/** The platform's own limit for one request of images (platform-api.md, Limits: 100 MB, adjustable per customer). */
const imagesShape = configGroup(
  { IMAGE_REQUEST_MAX_BYTES: wholeNumber({ min: 1_024, max: 1_000_000_000, default: 100_000_000 }) },
  (env) => ({ requestMaxBytes: env.IMAGE_REQUEST_MAX_BYTES }),
);

export type Config = ReturnType<typeof loadConfig>;

/** Everything that the environment says. Throws one `ConfigError` with all problems. */
export function loadConfig(env: Environment) {
  const config = readConfig(
    {
      http: httpShape(8082),
      database: databaseShape(APP),
      kafka: kafkaShape,
      log: logShape,
      tenantsFile: tenantsShape,
      uploads: uploadsShape,
      times: timesShape,
      images: imagesShape,
    },
    env,
  );
  return { ...config, tenants: loadTenants(config.tenantsFile.file, env, ['platform', 'uploads']) };
}
