import { startOf } from './process-table.ts';

/** One process, and not another one that got the same pid later: both are kept in files that outlive it. */
export interface ProcessIdentity {
  pid: number;
  start: string;
}

export function identify(pid: number): ProcessIdentity {
  return { pid, start: startOf(pid) ?? 'has ended' };
}

export function isRunning({ pid, start }: ProcessIdentity): boolean {
  return startOf(pid) === start;
}
