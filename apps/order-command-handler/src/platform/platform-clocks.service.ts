import { Health } from '@gondola/service-kit/health/health';
import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';

/** A read by both clocks. */
interface ComparedClocks {
  /** When the call began, by Gondola's clock, in milliseconds since 1970. */
  readonly began: number;
  readonly tookMs: number;
  /** The platform's answer, by its clock, in whole seconds. */
  readonly platformMs: number;
}

/** Lead above which readiness shows it. */
const SHOWN_LEAD_MS = 2_000;

/** A clock that differs is shown as this word in readiness. */
class ClockAheadError extends Error {
  override readonly name = 'CLOCK_AHEAD';
}

/** Compares Gondola's clock with the platform's at each read: a metric, and a word in readiness. */
@Injectable()
export class PlatformClocks {
  readonly #leads = new Map<string, number>();
  readonly #gauge: Gauge<'tenant'>;

  constructor(registry: Registry, health: Health) {
    this.#gauge = new Gauge({
      name: 'gondola_clock_lead_seconds',
      help: "Seconds by which Gondola's clock is ahead of the platform's at the last read, negative if it is behind",
      labelNames: ['tenant'],
      registers: [registry],
    });
    health.register('platform clock', () => this.#isTrue(), { required: false });
  }

  compared(tenant: string, clocks: ComparedClocks): void {
    const leadMs = clockLeadMs(clocks);
    this.#leads.set(tenant, leadMs);
    this.#gauge.set({ tenant }, leadMs / 1_000);
  }

  #isTrue(): boolean {
    if ([...this.#leads.values()].some((leadMs) => leadMs > SHOWN_LEAD_MS)) throw new ClockAheadError();
    return true;
  }
}

/**
 * Milliseconds by which Gondola's clock is certainly ahead of the platform's; negative if it is certainly behind, and
 * 0 if the call's duration and the whole seconds of the answer explain the difference.
 */
export function clockLeadMs({ began, tookMs, platformMs }: ComparedClocks): number {
  const least = began - (platformMs + 1_000);
  const most = began + tookMs - platformMs;
  if (least > 0) return least;
  return most < 0 ? most : 0;
}
