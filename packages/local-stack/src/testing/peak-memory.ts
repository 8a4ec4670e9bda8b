import { readFileSync } from 'node:fs';

const KIBIBYTE = 1_024;

/** The most memory that a process has had resident so far, in bytes, as Linux counts it. */
export function peakBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * KIBIBYTE;
}
