import { describe, expect, it } from '@jest/globals';
import { Health } from '@gondola/service-kit/health/health';
import { Registry } from 'prom-client';
import { clockLeadMs, PlatformClocks } from './platform-clocks.service.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

describe("the lead of Gondola's clock", () => {
  it.each([
    ['nothing that whole seconds explain', { began: NOON + 999, tookMs: 20, platformMs: NOON }, 0],
    ['nothing that the duration of the call explains', { began: NOON - 9_000, tookMs: 9_500, platformMs: NOON }, 0],
    ['what neither explains', { began: NOON + 8_000, tookMs: 20, platformMs: NOON }, 7_000],
    ['negative where the clock is behind', { began: NOON - 8_000, tookMs: 20, platformMs: NOON }, -7_980],
  ])('is %s', (_, clocks, leadMs) => {
    expect(clockLeadMs(clocks)).toBe(leadMs);
  });
});

/** Metric and readiness after reads of one tenant by which Gondola's clock was ahead. */
async function saidAfter(...leadsMs: readonly number[]) {
  const [registry, health] = [new Registry(), new Health()];
  const clocks = new PlatformClocks(registry, health);
  for (const leadMs of leadsMs) clocks.compared('acme', { began: NOON + 1_000 + leadMs, tookMs: 0, platformMs: NOON });
  const { 'platform clock': check } = (await health.readiness()).checks;
  return { check, metrics: await registry.metrics() };
}

describe('the clocks of the platform', () => {
  it('show a lead of more than two seconds in a metric, and as a word in readiness that no replica fails', async () => {
    const { check, metrics } = await saidAfter(2_001);
    expect(check).toEqual({ ok: false, required: false, reason: 'CLOCK_AHEAD' });
    expect(metrics).toContain('gondola_clock_lead_seconds{tenant="acme"} 2.001');
  });

  it.each([
    ['a lead of two seconds', [2_000], '2'],
    ['a lead that is over at the next read', [60_000, 0], '0'],
  ])('show %s in the metric alone', async (_, leadsMs, seconds) => {
    const { check, metrics } = await saidAfter(...leadsMs);
    expect(check).toEqual({ ok: true, required: false });
    expect(metrics).toContain(`gondola_clock_lead_seconds{tenant="acme"} ${seconds}\n`);
  });
});
