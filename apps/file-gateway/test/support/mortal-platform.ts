import type { PlatformAdapter } from '../../src/platform/platform.adapter.ts';

/** When a process ends: before or after its how-manieth call. */
export interface Death {
  readonly call: number;
  readonly when: 'before' | 'after';
}

/**
 * The platform as a process sees it that is killed around one of its calls: what it was doing is neither finished nor
 * tidied up.
 */
export function mortalPlatform(platform: PlatformAdapter, death: Death | null): PlatformAdapter {
  let count = 0;
  const around = async <T>(call: () => Promise<T>): Promise<T> => {
    count += 1;
    const isLast = death?.call === count;
    if (isLast && death.when === 'before') process.kill(process.pid, 'SIGKILL');
    const answer = await call();
    if (isLast) process.kill(process.pid, 'SIGKILL');
    return answer;
  };
  const calls: Pick<PlatformAdapter, keyof PlatformAdapter> = {
    listImages: (...args) => around(() => platform.listImages(...args)),
    uploadImages: (...args) => around(() => platform.uploadImages(...args)),
    sizeOfImages: (...args) => platform.sizeOfImages(...args),
    findInvoice: (...args) => around(() => platform.findInvoice(...args)),
    uploadInvoice: (...args) => around(() => platform.uploadInvoice(...args)),
    findOrderId: (...args) => around(() => platform.findOrderId(...args)),
  };
  return calls as PlatformAdapter;
}
