import { DAY_MS, HOUR_MS } from '@gondola/shared/durations';
import { type ConfigGroup, type ConfigProblem, configGroup, type Environment } from './config.ts';
import { wholeNumber } from './config-shapes.ts';

/** Times of an app with lanes, in milliseconds; deadlines are set per tenant. */
export interface LanesConfig {
  /** Time for which a claimed lane stays with a worker that shows no sign of life. Longer than any call. */
  readonly leaseMs: number;
  /** Time limit of a whole call to the platform. */
  readonly platformTimeoutMs: number;
  /** Time from an attempt whose answer was lost until the state is read. */
  readonly lostAnswerMs: number;
  /** From a command's outcome to its deletion: until then a repeat of it is known as one. */
  readonly commandRetentionMs: number;
}

export interface LanesWithUploadsConfig extends LanesConfig {
  /** Time limit of a whole call that sends files to the platform. */
  readonly uploadTimeoutMs: number;
}

/** A call of a lane: the variable of its time-out, in milliseconds, and the default. */
interface CallTimeout {
  readonly name: string;
  readonly defaultMs: number;
}

const CALL: CallTimeout = { name: 'PLATFORM_TIMEOUT_MS', defaultMs: 30_000 };
const UPLOAD: CallTimeout = { name: 'PLATFORM_UPLOAD_TIMEOUT_MS', defaultMs: 180_000 };
const LEASE_MS = 60_000;
const LEASE_WITH_UPLOADS_MS = 240_000;

const call = wholeNumber({ min: 100, max: 300_000, default: CALL.defaultMs });
const upload = wholeNumber({ min: 100, max: HOUR_MS, default: UPLOAD.defaultMs });
const lostAnswer = wholeNumber({ min: 10, max: 600_000, default: 5_000 });
/** Longer than Kafka has records by default (7 days), so that none that is read again is new. */
const retention = wholeNumber({ min: 8 * DAY_MS, max: 3_650 * DAY_MS, default: 90 * DAY_MS });
const lease = (defaultMs: number) => wholeNumber({ min: 1_000, max: 2 * HOUR_MS, default: defaultMs });

/** `LANE_LEASE_MS`, `PLATFORM_TIMEOUT_MS`, `LOST_ANSWER_MS`, `COMMAND_RETENTION_MS`. */
export const lanesShape: ConfigGroup<LanesConfig> = configGroup(
  {
    LANE_LEASE_MS: lease(LEASE_MS),
    PLATFORM_TIMEOUT_MS: call,
    LOST_ANSWER_MS: lostAnswer,
    COMMAND_RETENTION_MS: retention,
  },
  (env) => ({
    leaseMs: env.LANE_LEASE_MS,
    platformTimeoutMs: env.PLATFORM_TIMEOUT_MS,
    lostAnswerMs: env.LOST_ANSWER_MS,
    commandRetentionMs: env.COMMAND_RETENTION_MS,
  }),
  (values) => leaseProblems(values, LEASE_MS, [CALL]),
);

/** `lanesShape` and `PLATFORM_UPLOAD_TIMEOUT_MS`, for an app whose lanes send files. */
export const lanesWithUploadsShape: ConfigGroup<LanesWithUploadsConfig> = configGroup(
  {
    LANE_LEASE_MS: lease(LEASE_WITH_UPLOADS_MS),
    PLATFORM_TIMEOUT_MS: call,
    PLATFORM_UPLOAD_TIMEOUT_MS: upload,
    LOST_ANSWER_MS: lostAnswer,
    COMMAND_RETENTION_MS: retention,
  },
  (env) => ({
    leaseMs: env.LANE_LEASE_MS,
    platformTimeoutMs: env.PLATFORM_TIMEOUT_MS,
    uploadTimeoutMs: env.PLATFORM_UPLOAD_TIMEOUT_MS,
    lostAnswerMs: env.LOST_ANSWER_MS,
    commandRetentionMs: env.COMMAND_RETENTION_MS,
  }),
  (values) => leaseProblems(values, LEASE_WITH_UPLOADS_MS, [CALL, UPLOAD]),
);

/**
 * A lease that ran out during a call would give the lane to a second worker. A value that is no number is reported
 * elsewhere.
 */
function leaseProblems(values: Environment, defaultLeaseMs: number, calls: readonly CallTimeout[]): ConfigProblem[] {
  const leaseMs = Number(values['LANE_LEASE_MS'] ?? defaultLeaseMs);
  return calls.flatMap(({ name, defaultMs }) => {
    const callMs = Number(values[name] ?? defaultMs);
    if (!(leaseMs <= callMs)) return [];
    const limit = `${name} (${callMs})`;
    const problem = `maior que ${limit}, recebido ${leaseMs} / more than ${limit}, given ${leaseMs}`;
    return [{ where: 'LANE_LEASE_MS', problem }];
  });
}
