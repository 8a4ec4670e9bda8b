import { Health } from '@gondola/service-kit/health/health';
import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { clockLeadMs, type ComparedClocks, LEAD_TOLD_MS } from './clock-lead.ts';

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
    if ([...this.#leads.values()].some((leadMs) => leadMs > LEAD_TOLD_MS)) throw new ClockAheadError();
    return true;
  }
}
