import type { PlatformAdapter } from '../../src/platform/platform.adapter.ts';

/** When a process ends: before or after its how-manieth call. */
export interface Death {
  readonly call: number;
  readonly when: 'before' | 'after';
}

const CALLS = [
  'listFiles',
  'uploadImages',
  'undoImages',
  'removeFiles',
  'removeAllFiles',
  'findInvoice',
  'uploadInvoice',
  'findOrderId',
] as const;

/** Kills this process around one of the platform's calls: what it was doing is neither finished nor tidied up. */
export function killAround(platform: PlatformAdapter, death: Death): void {
  let count = 0;
  const around = async (call: () => Promise<unknown>): Promise<unknown> => {
    count += 1;
    const isLast = death.call === count;
    if (isLast && death.when === 'before') process.kill(process.pid, 'SIGKILL');
    const answer = await call();
    if (isLast) process.kill(process.pid, 'SIGKILL');
    return answer;
  };
  for (const name of CALLS) {
    const call = platform[name].bind(platform) as (...args: unknown[]) => Promise<unknown>;
    Object.assign(platform, { [name]: (...args: unknown[]) => around(() => call(...args)) });
  }
}
