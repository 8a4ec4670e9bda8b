import { configGroup, readConfig, type Environment } from '@gondola/service-kit/config/config';
import {
  databaseShape,
  httpShape,
  logShape,
  wholeNumber,
  type DatabaseConfig,
  type HttpConfig,
} from '@gondola/service-kit/config/config-shapes';
import type { LogLevel } from '@gondola/service-kit/logging/logger';
import { z } from 'zod';

export const APP_NAME = 'platform-sandbox';

export const SANDBOX_SETTINGS = Symbol('SandboxSettings');

export interface SandboxSettings {
  /** Notifications that are delivered at the same time. */
  readonly webhookConcurrency: number;
  /** After so long without an answer an attempt has failed. */
  readonly webhookTimeoutMs: number;
  /** Larger uploads of files are answered 413. */
  readonly uploadMaxBytes: number;
  /**
   * Under which address the sandbox's files are reached, without a slash at the end; null takes the one it listens on.
   */
  readonly publicUrl: string | null;
  /** Of operations, notifications and dead letters that have ended so many each are kept, the newest. */
  readonly historyKept: number;
  /** How often those beyond that are removed. */
  readonly historySweepMs: number;
  /** Makes ids repeatable; null takes them from the system. */
  readonly randomSeed: string | null;
}

export interface SandboxConfig {
  readonly http: HttpConfig;
  readonly database: DatabaseConfig;
  readonly log: { readonly level: LogLevel };
  readonly settings: SandboxSettings;
}

const sandboxShape = configGroup(
  {
    WEBHOOK_CONCURRENCY: wholeNumber({ min: 1, max: 256, default: 8 }),
    WEBHOOK_TIMEOUT_MS: wholeNumber({ min: 1, max: 600_000, default: 10_000 }),
    UPLOAD_MAX_BYTES: wholeNumber({ min: 1, max: 10_000_000_000, default: 100_000_000 }),
    PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
    HISTORY_KEPT: wholeNumber({ min: 1, max: 10_000_000, default: 50_000 }),
    HISTORY_SWEEP_MS: wholeNumber({ min: 10, max: 3_600_000, default: 10_000 }),
    RANDOM_SEED: z.string().optional(),
  },
  (env): SandboxSettings => ({
    webhookConcurrency: env.WEBHOOK_CONCURRENCY,
    webhookTimeoutMs: env.WEBHOOK_TIMEOUT_MS,
    uploadMaxBytes: env.UPLOAD_MAX_BYTES,
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    historyKept: env.HISTORY_KEPT,
    historySweepMs: env.HISTORY_SWEEP_MS,
    randomSeed: env.RANDOM_SEED ?? null,
  }),
);

/** Everything from the environment, frozen; throws one `ConfigError` with all problems. */
export function loadConfig(env: Environment): SandboxConfig {
  return readConfig(
    { http: httpShape(8090), database: databaseShape(APP_NAME), log: logShape, settings: sandboxShape },
    env,
  );
}
