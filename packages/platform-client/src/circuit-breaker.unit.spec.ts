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

/** A tenant whose clock and luck the test holds. */
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

  /** One call from admission to end; a failure is the whole platform's, unless it says what it is about. */
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
  it('begins after the given number of failures in a row, and not before', () => {
    const tenant = new Tenant();
    tenant.call('failed');
    tenant.call('failed');
    expect(tenant.state.kind).toBe('closed');
    tenant.call('failed');
    expect(tenant.admit()).toEqual({ kind: 'wait', cause: 'paused', retryAfterMs: 50 });
  });

  it('does not begin while an answer comes between the failures', () => {
    const tenant = new Tenant();
    for (const kind of ['failed', 'failed', 'answered', 'failed', 'failed'] as const) tenant.call(kind);
    expect(tenant.state.kind).toBe('closed');
  });

  it('begins after failures that are about different entities, however they alternate', () => {
    const tenant = new Tenant();
    for (const about of ['order 1', 'order 1', 'order 2', 'order 2']) tenant.call('failed', about);
    expect(tenant.state.kind).toBe('closed');
    tenant.call('failed', 'order 1');
    expect(tenant.state.kind).toBe('open');
  });

  it('never begins because of one entity, which stops nobody else', () => {
    const tenant = new Tenant();
    for (let n = 0; n < 50; n += 1) tenant.call('failed', 'order 1');
    expect(tenant.state).toMatchObject({ kind: 'closed', failures: 1 });
    tenant.call('failed', 'order 2');
    expect(tenant.state.kind).toBe('closed');
  });

  it('counts what shows nothing neither as a failure nor as an answer (rule 17)', () => {
    const tenant = new Tenant();
    for (let n = 0; n < 10; n += 1) tenant.call('nothing');
    expect(tenant.state).toMatchObject({ kind: 'closed', failures: 0 });
    for (const kind of ['failed', 'nothing', 'failed', 'nothing', 'failed'] as const) tenant.call(kind);
    expect(tenant.state.kind).toBe('open');
  });

  it('begins at once with 401 or 403 (rule 17)', () => {
    const tenant = new Tenant();
    tenant.call('credentials');
    expect(tenant.admit()).toEqual({ kind: 'wait', cause: 'credentials', retryAfterMs: 50 });
  });

  it('lasts as long as Retry-After says, even beyond its own cap (rule 36)', () => {
    const tenant = new Tenant();
    tenant.settle(tenant.ticket(), { kind: 'throttled', retryAfterMs: 30_000 });
    expect(tenant.admit()).toEqual({ kind: 'wait', cause: 'throttled', retryAfterMs: 30_000 });
    tenant.nowMs += 29_999;
    expect(tenant.admit().kind).toBe('wait');
    tenant.nowMs += 1;
    expect(tenant.admit().kind).toBe('go');
  });

  it('is cut to a day when Retry-After asks for more', () => {
    const tenant = new Tenant();
    tenant.settle(tenant.ticket(), { kind: 'throttled', retryAfterMs: 1e15 });
    expect(tenant.openForMs()).toBe(MAX_RETRY_AFTER_MS);
  });

  it('lets one trial call through when its time is over, and nobody beside it', () => {
    const tenant = new Tenant();
    tenant.call('credentials');
    tenant.goToProbeTime();
    expect(tenant.admit().kind).toBe('go');
    expect(tenant.admit()).toEqual({ kind: 'wait', cause: 'credentials', retryAfterMs: 100 });
    tenant.nowMs += 1_000_000;
    expect(tenant.admit().kind).toBe('wait');
  });

  it('closes when the trial call is answered', () => {
    const tenant = new Tenant();
    tenant.call('credentials');
    tenant.goToProbeTime();
    tenant.call('answered');
    expect(tenant.state).toMatchObject({ kind: 'closed', failures: 0 });
  });

  it('stays open for longer up to its cap while trial calls fail, and starts small again after a success', () => {
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

  it('lets the next call try when the trial call was given up before it could show anything', () => {
    const tenant = new Tenant();
    tenant.call('credentials');
    tenant.goToProbeTime();
    tenant.call('nothing');
    expect(tenant.admit().kind).toBe('go');
    expect(tenant.admit().kind).toBe('wait');
  });

  it('is neither ended nor lengthened by calls that were under way when it began', () => {
    const tenant = new Tenant();
    const [late1, late2, late3] = [tenant.ticket(), tenant.ticket(), tenant.ticket()];
    tenant.call('credentials');
    const before = tenant.state;
    tenant.settle(late1, { kind: 'answered' });
    tenant.settle(late2, { kind: 'failed', about: null });
    tenant.settle(late3, { kind: 'credentials' });
    expect(tenant.state).toEqual(before);
  });

  it('is lengthened by a late 429 whose Retry-After reaches further, and by no shorter one', () => {
    const tenant = new Tenant();
    const [late1, late2] = [tenant.ticket(), tenant.ticket()];
    tenant.call('credentials');
    tenant.settle(late1, { kind: 'throttled', retryAfterMs: 7_000 });
    expect(tenant.openForMs()).toBe(7_000);
    tenant.settle(late2, { kind: 'throttled', retryAfterMs: 5_000 });
    expect(tenant.openForMs()).toBe(7_000);
  });

  it('is not closed by a trial call that overtook a 429 which says to wait', () => {
    const tenant = new Tenant();
    const late = tenant.ticket();
    tenant.call('credentials');
    tenant.goToProbeTime();
    const trial = tenant.ticket();
    tenant.settle(late, { kind: 'throttled', retryAfterMs: 7_000 });
    tenant.settle(trial, { kind: 'answered' });
    expect(tenant.admit()).toEqual({ kind: 'wait', cause: 'throttled', retryAfterMs: 7_000 });
  });

  it('lets no second trial call through because of a late 429 that does not say how long to wait', () => {
    const tenant = new Tenant();
    const late = tenant.ticket();
    tenant.call('credentials');
    tenant.nowMs += 60_000;
    tenant.ticket();
    tenant.settle(late, { kind: 'throttled', retryAfterMs: null });
    expect(tenant.admit()).toMatchObject({ kind: 'wait', cause: 'credentials' });
  });

  it('begins anew with a 401 that comes after it has ended', () => {
    const tenant = new Tenant();
    const late = tenant.ticket();
    tenant.call('credentials');
    tenant.goToProbeTime();
    tenant.call('answered');
    tenant.settle(late, { kind: 'credentials' });
    expect(tenant.admit()).toMatchObject({ kind: 'wait', cause: 'credentials' });
  });

  it('does not count a failure from before it in the row after it', () => {
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
// Enough to meet what takes five steps in the right order.
const RUNS = { numRuns: 2_000 };

interface Moment {
  readonly before: BreakerState;
  readonly after: BreakerState;
  readonly nowMs: number;
  readonly step: Step;
  readonly admission: Admission | null;
}

/** Runs the steps and keeps each moment; also hands back the tenant and the calls that have not ended. */
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

/** Holds the check against any course of calls, once per moment that `which` picks. */
function always(which: (moment: Moment) => boolean, check: (moment: Moment) => void): void {
  fc.assert(
    fc.property(steps, (list) => run(list).moments.filter(which).forEach(check)),
    RUNS,
  );
}

describe('in any course of calls', () => {
  it('nothing is let through while it is open', () => {
    always(isTrial, ({ before, nowMs }) => {
      expect(before).toMatchObject({ kind: 'open' });
      expect(before.kind === 'closed' || nowMs >= before.until).toBe(true);
    });
  });

  it('lets exactly one trial call through, until that call has ended', () => {
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

  it('only an answer of the trial call closes it', () => {
    always(
      ({ before, after }) => before.kind !== 'closed' && after.kind === 'closed',
      ({ before, step }) => {
        expect(before.kind).toBe('half-open');
        expect(step).toMatchObject({ do: 'settle', evidence: { kind: 'answered' } });
      },
    );
  });

  it('failures that are all about one entity do not open it', () => {
    const one = fc.constantFrom<CallEvidence>({ kind: 'failed', about: 'order 1' }, { kind: 'nothing' });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 60 }), (list) => {
        const tenant = new Tenant();
        for (const each of list) tenant.settle(tenant.ticket(), each);
        expect(tenant.state.kind).toBe('closed');
      }),
    );
  });

  it('stays open by itself between half its first time and its cap', () => {
    always(
      ({ before, after, step }) => after.generation !== before.generation && !asksForTime(step),
      ({ after, nowMs }) => {
        const lengthMs = after.kind === 'closed' ? Number.NaN : after.until - nowMs;
        expect(lengthMs).toBeGreaterThanOrEqual(SETTINGS.firstOpenMs / 2);
        expect(lengthMs).toBeLessThanOrEqual(SETTINGS.maxOpenMs);
      },
    );
  });

  it('admission agrees with the look ahead, and who must wait is told a positive time', () => {
    always(
      ({ admission }) => admission !== null,
      ({ before, nowMs, admission }) => {
        const wait = waitOf(before, nowMs, SETTINGS);
        expect(admission?.kind).toBe(wait === null ? 'go' : 'wait');
        expect(wait?.retryAfterMs ?? 1).toBeGreaterThan(0);
      },
    );
  });

  it('the tenant comes back: once all calls have ended and the open time is over, a call passes', () => {
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
