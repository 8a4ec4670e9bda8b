import type { Store, Table } from '../store/store.service.ts';
import { Signal } from './signals.ts';

/** Name of the row of the clock in the settings. */
const OFFSET = 'clock-offset';
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The one clock of the sandbox: real time and what the admin API advanced it by. Times are milliseconds since 1970. */
export class Clock {
  private readonly advanced = new Signal();
  private readonly settings: Table<string, unknown>;

  constructor(
    private readonly store: Store,
    settings: Table<string, unknown>,
    private readonly realNow: () => number = Date.now,
  ) {
    this.settings = settings;
  }

  get offsetMs(): number {
    return (this.settings.get(OFFSET) as number | undefined) ?? 0;
  }

  now(): number {
    return this.realNow() + this.offsetMs;
  }

  /** Lets all come now that is due by then. */
  advance(ms: number): void {
    this.store.unit(() => this.settings.put(OFFSET, this.offsetMs + ms));
    this.advanced.give();
  }

  /** Real time again. */
  reset(): void {
    this.settings.delete(OFFSET);
    this.advanced.give();
  }

  /** Waits so long by this clock, but not beyond the event. */
  async atMost(ms: number, event?: Promise<void>): Promise<void> {
    const due = this.now() + ms;
    const over = event?.then(() => 'over' as const);
    while (this.now() < due) {
      const advanced = this.advanced.next();
      const expired = Promise.withResolvers<void>();
      const timer = setTimeout(expired.resolve, Math.min(due - this.now(), LONGEST_TIMER_MS));
      const first = await Promise.race([expired.promise, advanced, ...(over ? [over] : [])]);
      clearTimeout(timer);
      if (first === 'over') return;
    }
  }
}

/** Waits in real time, but not beyond the event. */
export async function atMost(ms: number, event: Promise<void>): Promise<void> {
  const expired = Promise.withResolvers<void>();
  const timer = setTimeout(expired.resolve, ms);
  await Promise.race([event, expired.promise]);
  clearTimeout(timer);
}
