import { configGroup, readConfig, type Environment } from '@gondola/service-kit/config';
import {
  databaseShape,
  httpShape,
  logShape,
  wholeNumber,
  type DatabaseConfig,
  type HttpConfig,
} from '@gondola/service-kit/config-shapes';
import type { LogLevel } from '@gondola/service-kit/logger';
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
  /** Under which address the sandbox's files are reached, without a slash at the end; null takes the one it listens on. */
  readonly publicUrl: string | null;
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
    RANDOM_SEED: z.string().optional(),
  },
  (env): SandboxSettings => ({
    webhookConcurrency: env.WEBHOOK_CONCURRENCY,
    webhookTimeoutMs: env.WEBHOOK_TIMEOUT_MS,
    uploadMaxBytes: env.UPLOAD_MAX_BYTES,
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
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
