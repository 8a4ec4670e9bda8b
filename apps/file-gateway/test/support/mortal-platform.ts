import type { ContentDecoder } from '../../src/contents/content-decoder.adapter.ts';
import type { FetchedContentsRepository } from '../../src/fetching/fetched-contents.repository.ts';
import type { PlatformAdapter } from '../../src/platform/platform.adapter.ts';
import { SftpConnection } from '../../src/sftp/sftp-connection.adapter.ts';
import type { UploadsRepository } from '../../src/uploads/uploads.repository.ts';

/** Moment of a process' death: before or after the call with this number. */
export interface Death {
  /** Counts the steps that fetch, store and decode contents; absent: counts calls to the platform. */
  readonly of?: 'content';
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

/** Services that process a content. */
export interface ContentSteps {
  readonly uploads: UploadsRepository;
  readonly fetched: FetchedContentsRepository;
  readonly decoder: ContentDecoder;
}

/**
 * Kills this process around one of its calls to the platform, including SFTP, or around one step of a content, so
 * that the work is neither finished nor cleaned up.
 */
export function killAround(platform: PlatformAdapter, contents: ContentSteps, death: Death): void {
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
  if (death.of === 'content') {
    replace(contents.uploads, 'addChunk');
    replace(contents.fetched, 'save');
    replace(contents.decoder, 'judge');
    return;
  }
  for (const name of CALLS) replace(platform, name);
  for (const name of SFTP_CALLS) replace(SftpConnection.prototype, name);
}
