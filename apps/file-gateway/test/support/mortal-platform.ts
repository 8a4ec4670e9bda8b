import type { FilePlatform } from '../../src/application/file-platform.ts';

/** When a process ends: before or after its how-manieth call. */
export interface Death {
  readonly call: number;
  readonly when: 'before' | 'after';
}

/**
 * The platform as a process sees it that is killed around one of its calls: what it was doing is neither finished nor
 * tidied up.
 */
export function mortalPlatform(platform: FilePlatform, death: Death | null): FilePlatform {
  let calls = 0;
  const around = async <T>(call: () => Promise<T>): Promise<T> => {
    calls += 1;
    const isLast = death?.call === calls;
    if (isLast && death.when === 'before') process.kill(process.pid, 'SIGKILL');
    const answer = await call();
    if (isLast) process.kill(process.pid, 'SIGKILL');
    return answer;
  };
  return {
    listImages: (...args) => around(() => platform.listImages(...args)),
    uploadImages: (...args) => around(() => platform.uploadImages(...args)),
    sizeOfImages: (...args) => platform.sizeOfImages(...args),
    findInvoice: (...args) => around(() => platform.findInvoice(...args)),
    uploadInvoice: (...args) => around(() => platform.uploadInvoice(...args)),
    findOrderId: (...args) => around(() => platform.findOrderId(...args)),
  };
}
