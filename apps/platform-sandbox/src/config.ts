import { configGroup, readConfig, type Environment } from '@gondola/service-kit/config/config';
import { databaseShape, httpShape, logShape, wholeNumber } from '@gondola/service-kit/config/config-shapes';
import { z } from 'zod';

export const APP_NAME = 'platform-sandbox';

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
  (env) => ({
    /** Notifications that are delivered at the same time. */
    webhookConcurrency: env.WEBHOOK_CONCURRENCY,
    /** Time after which an unanswered attempt counts as failed. */
    webhookTimeoutMs: env.WEBHOOK_TIMEOUT_MS,
    /** Larger uploads are answered 413. */
    uploadMaxBytes: env.UPLOAD_MAX_BYTES,
    /** Public address of the sandbox's files, without a trailing slash; null: the address that it listens on. */
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    /**
     * Number of the newest finished operations, rejections, notifications and dead letters that remain stored,
     * each.
     */
    historyKept: env.HISTORY_KEPT,
    /** Interval at which older ones are deleted. */
    historySweepMs: env.HISTORY_SWEEP_MS,
    /** Seed for repeatable ids; null: random ids of the system. */
    randomSeed: env.RANDOM_SEED ?? null,
  }),
);

const login = 'SFTP_USERNAME e SFTP_PASSWORD, ou nenhum / both, or neither';

/** The SFTP drop; null without a user. */
const sftpShape = configGroup(
  {
    SFTP_PORT: wholeNumber({ min: 0, max: 65_535, default: 8022 }),
    SFTP_USERNAME: z.string().optional(),
    SFTP_PASSWORD: z.string().optional(),
    SFTP_HOST_KEY: z.string().optional(),
    SFTP_CONTRACT_FOLDER: z
      .string()
      .regex(/^[\w-]+$/, 'letras, dígitos, - e _ / letters, digits, - and _')
      .default('loja'),
    SFTP_MAX_BYTES: wholeNumber({ min: 1, max: 10_000_000_000, default: 100_000_000 }),
  },
  (env) =>
    env.SFTP_USERNAME === undefined || env.SFTP_PASSWORD === undefined
      ? null
      : {
          /** 0 takes a free port. */
          port: env.SFTP_PORT,
          username: env.SFTP_USERNAME,
          password: env.SFTP_PASSWORD,
          /** A private key, OpenSSH or PEM; null: a new one at each start. */
          hostKey: env.SFTP_HOST_KEY ?? null,
          /** First folder of every path; the document does not show its name. */
          contractFolder: env.SFTP_CONTRACT_FOLDER,
          /** A larger file is refused. */
          maxBytes: env.SFTP_MAX_BYTES,
        },
  ({ SFTP_USERNAME: username, SFTP_PASSWORD: password }) =>
    (username === undefined) === (password === undefined) ? [] : [{ where: 'SFTP_PASSWORD', problem: login }],
);

const GROUPS = {
  http: httpShape(8090),
  database: databaseShape(APP_NAME),
  log: logShape,
  settings: sandboxShape,
  sftp: sftpShape,
};

/** Reads the configuration from the environment and freezes it; throws one `ConfigError` with all problems. */
export function loadConfig(env: Environment) {
  return readConfig(GROUPS, env);
}

export type SandboxConfig = ReturnType<typeof loadConfig>;
