/**
 * A part of an app that is started after HTTP listens and stopped before the process ends: the database,
 * a consumer, a lane worker, the relay. `run-app` starts them in order and stops them in reverse.
 */
export interface Startable {
  /** Shown in `/health/ready` and in the log; one word, in English. */
  readonly name: string;
  /** Called again after a transient failure, so a half-done start must have been undone when it throws. */
  start(): Promise<void>;
  /** Never throws for work that is merely unfinished: leases and offsets make it safe to leave. */
  stop(): Promise<void>;
}
