import type { Logger } from '../logging/logger.ts';
import type { Startable } from './startable.ts';
export interface RepeatingTaskOptions {
  readonly name: string;
  /** Milliseconds from the end of one run to the start of the next. */
  readonly everyMs: number;
  /** One run. An error is logged, and the next run starts at its time. */
  readonly run: () => Promise<void>;
  readonly logger: Logger;
}
/** Milliseconds between two runs of a task that deletes old rows. */
export declare const SWEEP_MS = 3600000;
/** Runs a task at intervals until stopped, never twice at once; the first run starts at once. */
export declare class RepeatingTask implements Startable {
  #private;
  readonly name: string;
  constructor(options: RepeatingTaskOptions);
  start(): Promise<void>;
  /** Waits two seconds at most for a run in progress; no other run follows. */
  stop(): Promise<void>;
}
