import { Injectable } from '@nestjs/common';

/** The time of this process, to be replaced in tests. Deadlines and leases go by the database's clock instead. */
@Injectable()
export class Clock {
  /** Milliseconds since 1970. */
  now(): number {
    return Date.now();
  }
}
