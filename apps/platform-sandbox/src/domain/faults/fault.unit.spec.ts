import { describe, expect, it } from '@jest/globals';
import { callPlan } from './call-plan.ts';
import { deliveryPlan } from './delivery-plan.ts';
import { matchesCall, matchesEvent, shuffledDelayMs, strikes, type WebhookFault } from './fault.ts';

function hits(seed: number): boolean[] {
  return Array.from({ length: 1000 }, (_, matched) =>
    strikes({ kind: 'webhook-lose', share: 0.3, seed }, { matched, struck: 0 }),
  );
}

function matches(event: string, name: string, status?: number): boolean {
  return matchesEvent({ kind: 'webhook-lose', event }, name, status);
}

describe('a fault', () => {
  it('names calls by a regular expression on method and path, with or without the query', () => {
    const fault = { kind: 'delay', route: '^GET /v1/Orders/\\d+/webhook-payload$' } as const;
    expect(matchesCall(fault, 'GET', '/v1/Orders/7/webhook-payload?version=2')).toBe(true);
    expect(matchesCall({ ...fault, route: 'version=2' }, 'GET', '/v1/Orders/7/webhook-payload?version=2')).toBe(true);
    expect(matchesCall(fault, 'PATCH', '/v1/Orders/7/status')).toBe(false);
    expect(matchesCall({ kind: 'delay' }, 'PATCH', '/anything')).toBe(true);
  });

  it('names events by their whole name', () => {
    expect(matches('Order_Updated', 'Order_Updated')).toBe(true);
    expect(matches('Order_.*', 'Order_StatusUpdateFailed')).toBe(true);
    expect(matches('Order', 'Order_Updated')).toBe(false);
  });

  it('names the events of an order by its status too', () => {
    expect(matches('Order_Updated', 'Order_Updated', 300)).toBe(true);
    expect(matches('Order_Updated 300', 'Order_Updated', 300)).toBe(true);
    expect(matches('Order_Updated (750|800)', 'Order_Updated', 800)).toBe(true);
    expect(matches('Order_Updated 300', 'Order_Updated', 400)).toBe(false);
    expect(matches('Order_Updated 30', 'Order_Updated', 300)).toBe(false);
  });

  it('strikes a counted number of times', () => {
    const fault = { kind: 'error-before', times: 2 } as const;
    expect([0, 1, 2].map((struck) => strikes(fault, { matched: struck, struck }))).toEqual([true, true, false]);
  });

  it('strikes a share of what it matches, the same ones for the same seed', () => {
    expect(hits(1)).toEqual(hits(1));
    expect(hits(1)).not.toEqual(hits(2));
    expect(hits(1).filter(Boolean).length).toBeGreaterThan(240);
    expect(hits(1).filter(Boolean).length).toBeLessThan(360);
  });

  it('shuffles within its window, differently for each notification', () => {
    const fault: WebhookFault = { kind: 'webhook-shuffle', ms: 100, seed: 4 };
    const delays = [0, 1, 2, 3].map((matched) => shuffledDelayMs(fault, { matched, struck: 0 }));
    expect(Math.max(...delays)).toBeLessThan(100);
    expect(new Set(delays).size).toBeGreaterThan(1);
  });
});

it('several faults of one call add up to one plan', () => {
  expect(callPlan([{ kind: 'delay', ms: 5 }, { kind: 'drop-after' }, { kind: 'core-silent' }])).toEqual({
    delayMs: 5,
    before: undefined,
    after: { kind: 'drop' },
    outcomeFirstMs: undefined,
    refuseStatus: undefined,
    coreSilent: true,
  });
});

it('several faults of one notification add up to one plan', () => {
  expect(
    deliveryPlan([
      { kind: 'webhook-double', delayMs: 0 },
      { kind: 'webhook-delay', delayMs: 30 },
    ]),
  ).toEqual({ lost: false, copies: 2, delayMs: 30 });
});
