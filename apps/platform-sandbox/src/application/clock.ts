import { Injectable } from '@nestjs/common';
import { ticksOf, type Ticks } from '../domain/local-time.ts';

/** The time of the shop. */
@Injectable()
export class Clock {
  now(): Ticks {
    return ticksOf(this.nowMs());
  }

  /** Milliseconds since 1970. */
  nowMs(): number {
    return Date.now();
  }
}
