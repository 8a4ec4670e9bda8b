import { Injectable } from '@nestjs/common';
import { pooledRandomBytes } from '../http/trace.ts';

/** Random bytes for trace ids and the like, to be replaced in tests. */
@Injectable()
export class Randomness {
  /** `count` bytes of the system's generator. */
  readonly bytes: (count: number) => Uint8Array = pooledRandomBytes();
}
