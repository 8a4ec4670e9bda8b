import type { checkRecord } from '@gondola/shared/records/check-record';

/**
 * The apps' own judgement of a record; null where it is not built. It is loaded by the one command that needs it: its
 * classes have decorators, which Node.js cannot read from the sources that all other commands run from.
 */
export async function loadCheckRecord(): Promise<typeof checkRecord | null> {
  try {
    return (await import('@gondola/shared/records/check-record')).checkRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}
