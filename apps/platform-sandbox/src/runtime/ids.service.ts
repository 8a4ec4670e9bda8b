import { createHash, randomBytes } from 'node:crypto';
import { guidOf } from '../values/guid.ts';

/**
 * Creates all ids of the platform. With a seed, a fresh state and the same calls give the same ids. The number of the
 * start is part of the seed, so that a restart never repeats an id.
 */
export class Ids {
  /** Returns 16 bytes. */
  private random = (): Buffer => randomBytes(16);

  seed(seed: string | null, start: number): void {
    if (seed === null) return;
    let drawn = 0;
    this.random = () => createHash('sha256').update(`${seed}:${start}:${drawn++}`).digest().subarray(0, 16);
  }

  /** A version 4 GUID in lower case. */
  newGuid(): string {
    return guidOf(this.random());
  }

  /** 32 hexadecimal digits. */
  newTraceId(): string {
    return this.random().toString('hex');
  }
}
