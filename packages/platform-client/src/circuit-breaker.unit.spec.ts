import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type Admission,
  admit,
  type CallEvidence,
  INITIAL_BREAKER_STATE,
  MAX_RETRY_AFTER_MS,
  type BreakerState,
  settle,
  type Ticket,
  waitOf,
} from './circuit-breaker.ts';

const SETTINGS = { failuresInRow: 3, firstOpenMs: 100, maxOpenMs: 1_000 };

/** A tenant whose clock and random number the test controls. */
class Tenant {
  state: BreakerState = INITIAL_BREAKER_STATE;
  nowMs = 1_000_000;
  random = 0;

  admit(): Admission {
    const [state, admission] = admit(this.state, this.nowMs, SETTINGS);
    this.state = state;
    return admission;
  }

  ticket(): Ticket {
    const admission = this.admit();
    if (admission.kind !== 'go') throw new Error(`not admitted: ${JSON.stringify(this.state)}`);
    return admission.ticket;
  }

  settle(ticket: Ticket, evidence: CallEvidence): void {
    this.state = settle(this.state, ticket, evidence, this.nowMs, this.random, SETTINGS);
  }

  /** One call from admission to outcome; a failure concerns the whole platform unless `about` names an entity. */
  call(kind: 'answered' | 'failed' | 'credentials' | 'nothing', about: string | null = null): void {
    this.settle(this.ticket(), kind === 'failed' ? { kind, about } : { kind });
  }

  openForMs(): number {
    if (this.state.kind === 'closed') throw new Error('not open');
    return this.state.until - this.nowMs;
  }

  goToProbeTime(): void {
    this.nowMs += this.openForMs();
  }
}

describe('the circuit breaker of a tenant', () => {
  it('opens after the given number of failures in a row, and not before', () => {
    const tenant = new Tenant();
    tenant.call('failed');
    tenant.call('failed');
    expect(tenant.state.kind).toBe('closed');
    tenant.call('failed');
    expect(tenant.admit()).toEqual({ kind: 'wait', cause: 'paused', retryAfterMs: 50 });
  });

  it('does not open if an answer comes between the failures', () => {
    const tenant = new Tenant();
    for (const kind of ['failed', 'failed', 'answered', 'failed', 'failed'] as const) tenant.call(kind);
    expect(tenant.state.kind).toBe('closed');
  });

  it('opens after failures of different entities, in any alternation', () => {
    const tenant = new Tenant();
    for (const about of ['order 1', 'order 1', 'order 2', 'order 2']) tenant.call('failed', about);
    expect(tenant.state.kind).toBe('closed');
    tenant.call('failed', 'order 1');
    expect(tenant.state.kind).toBe('open');
  });

  it('never opens because of one entity, so that the others are sent on', () => {
    const tenant = new Tenant();
    for (let n = 0; n < 50; n += 1) tenant.call('failed', 'order 1');
    expect(tenant.state).toMatchObject({ kind: 'closed', failures: 1 });
    tenant.call('failed', 'order 2');
    expect(tenant.state.kind).toBe('closed');
  });

  it('counts an inconclusive call neither as a failure nor as an answer (rule 17)', () => {
    const tenant = new Tenant();
    for (let n = 0; n < 10; n += 1) tenant.call('nothing');
    expect(tenant.state).toMatchObject({ kind: 'closed', failures: 0 });
    for (const kind of ['failed', 'nothing', 'failed', 'nothing', 'failed'] as const) tenant.call(kind);
    expect(tenant.state.kind).toBe('open');
  });

  it('opens at once after 401 or 403 (rule 17)', () => {
    const tenant = new Tenant();
    tenant.call('credentials');
    expect(tenant.admit()).toEqual({ kind: 'wait', cause: 'credentials', retryAfterMs: 50 });
  });

  it('stays open for the time of Retry-After, even beyond its own maximum (rule 36)', () => {
    const tenant = new Tenant();
    tenant.settle(tenant.ticket(), { kind: 'throttled', retryAfterMs: 30_000 });
    expect(tenant.admit()).toEqual({ kind: 'wait', cause: 'throttled', retryAfterMs: 30_000 });
    tenant.nowMs += 29_999;
    expect(tenant.admit().kind).toBe('wait');
    tenant.nowMs += 1;
    expect(tenant.admit().kind).toBe('go');
  });

  it('stays open for a day at most, even if Retry-After asks for more', () => {
    const tenant = new Tenant();
    tenant.settle(tenant.ticket(), { kind: 'throttled', retryAfterMs: 1e15 });
    expect(tenant.openForMs()).toBe(MAX_RETRY_AFTER_MS);
  });

  it('lets exactly one trial call through after its open time', () => {
    const tenant = new Tenant();
    tenant.call('credentials');
    tenant.goToProbeTime();
    expect(tenant.admit().kind).toBe('go');
    expect(tenant.admit()).toEqual({ kind: 'wait', cause: 'credentials', retryAfterMs: 100 });
    tenant.nowMs += 1_000_000;
    expect(tenant.admit().kind).toBe('wait');
  });

  it('closes after an answer to the trial call', () => {
    const tenant = new Tenant();
    tenant.call('credentials');
    tenant.goToProbeTime();
    tenant.call('answered');
    expect(tenant.state).toMatchObject({ kind: 'closed', failures: 0 });
  });

  it('stays open for longer after each failed trial call, up to its maximum, and starts small again after a success', () => {
    const tenant = new Tenant();
    tenant.random = 1;
    const lengths: number[] = [];
    tenant.call('credentials');
    for (let n = 0; n < 6; n += 1) {
      lengths.push(Math.round(tenant.openForMs()));
      tenant.goToProbeTime();
      tenant.call('failed');
    }
    expect(lengths).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    tenant.goToProbeTime();
    tenant.call('answered');
    tenant.call('credentials');
    expect(Math.round(tenant.openForMs())).toBe(100);
  });

  it('lets the next call be the trial call if the first one was aborted without a result', () => {
    const tenant = new Tenant();
    tenant.call('credentials');
    tenant.goToProbeTime();
    tenant.call('nothing');
    expect(tenant.admit().kind).toBe('go');
    expect(tenant.admit().kind).toBe('wait');
  });

  it('is neither closed nor prolonged by calls that were running when it opened', () => {
    const tenant = new Tenant();
    const [late1, late2, late3] = [tenant.ticket(), tenant.ticket(), tenant.ticket()];
    tenant.call('credentials');
    const before = tenant.state;
    tenant.settle(late1, { kind: 'answered' });
    tenant.settle(late2, { kind: 'failed', about: null });
    tenant.settle(late3, { kind: 'credentials' });
    expect(tenant.state).toEqual(before);
  });

  it('is prolonged by a late 429 with a longer Retry-After, and not by a shorter one', () => {
    const tenant = new Tenant();
    const [late1, late2] = [tenant.ticket(), tenant.ticket()];
    tenant.call('credentials');
    tenant.settle(late1, { kind: 'throttled', retryAfterMs: 7_000 });
    expect(tenant.openForMs()).toBe(7_000);
    tenant.settle(late2, { kind: 'throttled', retryAfterMs: 5_000 });
    expect(tenant.openForMs()).toBe(7_000);
  });

  it('is not closed by a trial call that overtook a 429 with Retry-After', () => {
    const tenant = new Tenant();
    const late = tenant.ticket();
    tenant.call('credentials');
    tenant.goToProbeTime();
    const trial = tenant.ticket();
    tenant.settle(late, { kind: 'throttled', retryAfterMs: 7_000 });
    tenant.settle(trial, { kind: 'answered' });
    expect(tenant.admit()).toEqual({ kind: 'wait', cause: 'throttled', retryAfterMs: 7_000 });
  });

  it('lets no second trial call through after a late 429 without Retry-After', () => {
    const tenant = new Tenant();
    const late = tenant.ticket();
    tenant.call('credentials');
    tenant.nowMs += 60_000;
    tenant.ticket();
    tenant.settle(late, { kind: 'throttled', retryAfterMs: null });
    expect(tenant.admit()).toMatchObject({ kind: 'wait', cause: 'credentials' });
  });

  it('opens again after a 401 that arrives after it closed', () => {
    const tenant = new Tenant();
    const late = tenant.ticket();
    tenant.call('credentials');
    tenant.goToProbeTime();
    tenant.call('answered');
    tenant.settle(late, { kind: 'credentials' });
    expect(tenant.admit()).toMatchObject({ kind: 'wait', cause: 'credentials' });
  });

  it('starts to count failures from zero after it closed', () => {
    const tenant = new Tenant();
    const late = tenant.ticket();
    tenant.call('credentials');
    tenant.goToProbeTime();
    tenant.call('answered');
    tenant.call('failed');
    tenant.settle(late, { kind: 'failed', about: null });
    tenant.call('failed');
    expect(tenant.state.kind).toBe('closed');
  });
});

type Step =
  | { readonly do: 'admit' }
  | { readonly do: 'settle'; readonly which: number; readonly evidence: CallEvidence; readonly random: number }
  | { readonly do: 'pass-time'; readonly ms: number };

const evidence: fc.Arbitrary<CallEvidence> = fc.oneof(
  fc.constantFrom<CallEvidence>(
    { kind: 'answered' },
    { kind: 'failed', about: null },
    { kind: 'failed', about: 'order 1' },
    { kind: 'failed', about: 'order 2' },
    { kind: 'credentials' },
    { kind: 'nothing' },
    { kind: 'throttled', retryAfterMs: null },
  ),
  fc.integer({ min: 1, max: 5_000 }).map((retryAfterMs): CallEvidence => ({ kind: 'throttled', retryAfterMs })),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ do: 'admit' }),
  fc.record({
    do: fc.constant('settle' as const),
    which: fc.nat(20),
    evidence,
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  }),
  fc.record({ do: fc.constant('pass-time' as const), ms: fc.nat(3_000) }),
);
const steps = fc.array(step, { minLength: 1, maxLength: 60 });
// Enough runs to find sequences of five steps in the right order.
const RUNS = { numRuns: 2_000 };

interface Moment {
  readonly before: BreakerState;
  readonly after: BreakerState;
  readonly nowMs: number;
  readonly step: Step;
  readonly admission: Admission | null;
}

/** Runs the steps and records each moment; also returns the tenant and the calls that have not ended. */
function run(list: readonly Step[]): { tenant: Tenant; open: Ticket[]; moments: Moment[] } {
  const tenant = new Tenant();
  const open: Ticket[] = [];
  const moments: Moment[] = [];
  for (const step of list) {
    const before = tenant.state;
    let admission: Admission | null = null;
    if (step.do === 'admit') {
      admission = tenant.admit();
      if (admission.kind === 'go') open.push(admission.ticket);
    } else if (step.do === 'pass-time') {
      tenant.nowMs += step.ms;
    } else {
      const [ticket] = open.splice(step.which % Math.max(open.length, 1), 1);
      tenant.random = step.random;
      if (ticket !== undefined) tenant.settle(ticket, step.evidence);
    }
    moments.push({ before, after: tenant.state, nowMs: tenant.nowMs, step, admission });
  }
  return { tenant, open, moments };
}

const isTrial = ({ before, admission }: Moment) => admission?.kind === 'go' && before.kind !== 'closed';

const asksForTime = (step: Step) =>
  step.do === 'settle' && step.evidence.kind === 'throttled' && step.evidence.retryAfterMs !== null;

/** Applies the check to each moment that `which` selects, in arbitrary sequences of calls. */
function always(which: (moment: Moment) => boolean, check: (moment: Moment) => void): void {
  fc.assert(
    fc.property(steps, (list) => run(list).moments.filter(which).forEach(check)),
    RUNS,
  );
}

describe('in any sequence of calls', () => {
  it('an open circuit breaker lets nothing through', () => {
    always(isTrial, ({ before, nowMs }) => {
      expect(before).toMatchObject({ kind: 'open' });
      expect(before.kind === 'closed' || nowMs >= before.until).toBe(true);
    });
  });

  it('a half-open circuit breaker lets exactly one trial call through until that call ends', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const { moments } = run(list);
        let underWay = 0;
        for (const moment of moments) {
          if (isTrial(moment)) underWay += 1;
          if (moment.before.kind === 'half-open' && moment.after.kind !== 'half-open') underWay -= 1;
          expect(underWay).toBe(moment.after.kind === 'half-open' ? 1 : 0);
        }
      }),
      RUNS,
    );
  });

  it('only an answer to the trial call closes the circuit breaker', () => {
    always(
      ({ before, after }) => before.kind !== 'closed' && after.kind === 'closed',
      ({ before, step }) => {
        expect(before.kind).toBe('half-open');
        expect(step).toMatchObject({ do: 'settle', evidence: { kind: 'answered' } });
      },
    );
  });

  it('failures of one entity do not open the circuit breaker', () => {
    const one = fc.constantFrom<CallEvidence>({ kind: 'failed', about: 'order 1' }, { kind: 'nothing' });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 60 }), (list) => {
        const tenant = new Tenant();
        for (const each of list) tenant.settle(tenant.ticket(), each);
        expect(tenant.state.kind).toBe('closed');
      }),
    );
  });

  it('the open time lies between half its first value and its maximum', () => {
    always(
      ({ before, after, step }) => after.generation !== before.generation && !asksForTime(step),
      ({ after, nowMs }) => {
        const lengthMs = after.kind === 'closed' ? Number.NaN : after.until - nowMs;
        expect(lengthMs).toBeGreaterThanOrEqual(SETTINGS.firstOpenMs / 2);
        expect(lengthMs).toBeLessThanOrEqual(SETTINGS.maxOpenMs);
      },
    );
  });

  it('admission agrees with the look ahead, and a rejected call gets a positive waiting time', () => {
    always(
      ({ admission }) => admission !== null,
      ({ before, nowMs, admission }) => {
        const wait = waitOf(before, nowMs, SETTINGS);
        expect(admission?.kind).toBe(wait === null ? 'go' : 'wait');
        expect(wait?.retryAfterMs ?? 1).toBeGreaterThan(0);
      },
    );
  });

  it('a call passes after all calls ended and the open time is over', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const { tenant, open } = run(list);
        for (const ticket of open) tenant.settle(ticket, { kind: 'nothing' });
        if (tenant.state.kind === 'open') tenant.nowMs = Math.max(tenant.nowMs, tenant.state.until);
        expect(tenant.admit().kind).toBe('go');
      }),
      RUNS,
    );
  });
});
