import type { PlatformAdapter } from '../../src/platform/platform.adapter.ts';
import { SftpConnection } from '../../src/sftp/sftp-connection.adapter.ts';

/** When a process ends: before or after its how-manieth call. */
export interface Death {
  readonly call: number;
  readonly when: 'before' | 'after';
}

const CALLS = [
  'listFiles',
  'uploadImages',
  'linkImages',
  'undoImages',
  'removeFiles',
  'removeAllFiles',
  'findInvoice',
  'uploadInvoice',
  'findOrderId',
] as const;

const SFTP_CALLS = ['write', 'rename'] as const;

type Call = (this: unknown, ...args: unknown[]) => Promise<unknown>;

/**
 * Kills this process around one of the platform's calls, those by SFTP included: what it was doing is neither finished
 * nor tidied up.
 */
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
  const replace = (target: object, name: string): void => {
    const call = Reflect.get(target, name) as Call;
    const replaced: Call = function (...args) {
      return around(() => call.apply(this, args));
    };
    Object.assign(target, { [name]: replaced });
  };
  for (const name of CALLS) replace(platform, name);
  for (const name of SFTP_CALLS) replace(SftpConnection.prototype, name);
}
