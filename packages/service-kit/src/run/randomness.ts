import { Injectable } from '@nestjs/common';
import { pooledRandomBytes } from '../http/trace.ts';

/** Random bytes, such as for trace ids, and the jitter of waits; replaceable in tests. */
@Injectable()
export class Randomness {
  /** `count` bytes of the system's generator. */
  readonly bytes: (count: number) => Uint8Array = pooledRandomBytes();
  /** A number from 0 to below 1. */
  readonly fraction: () => number = Math.random;
}
