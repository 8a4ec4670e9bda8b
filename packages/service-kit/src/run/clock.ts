import { Injectable } from '@nestjs/common';

/** Clock of this process, replaceable in tests. Deadlines and leases use the database's clock instead. */
@Injectable()
export class Clock {
  /** Milliseconds since 1970. */
  now(): number {
    return Date.now();
  }
}
