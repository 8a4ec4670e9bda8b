import { describe, expect, it } from '@jest/globals';
import { array, assert, constantFrom, double, object, property, record } from 'fast-check';
import { effectiveOnCall, effectiveOnDelivery, type CallSubject } from './effective-faults.ts';
import { withExtraFields } from './extra-fields.ts';
import {
  FAULT_KINDS,
  begun,
  bendsCalls,
  bendsDeliveries,
  callPlan,
  corrupted,
  countedApart,
  deliveryPlan,
  isOver,
  matchesCall,
  matchesEvent,
  strikes,
  type CallPlan,
  type Fault,
  type Struck,
} from './fault.ts';

function hits(seed: number): boolean[] {
  return Array.from({ length: 1000 }, (_, matched) =>
    strikes({ kind: 'webhook-lose', share: 0.3, seed }, { matched, struck: 0 }),
  );
}

function planOf(...faults: Fault[]): CallPlan {
  return callPlan(effectiveOnCall(struck(...faults), QUEUED));
}

const QUEUED = { isQueued: true, products: [] };

function struck(...faults: Fault[]): Struck[] {
  return faults.map((fault) => ({ fault, count: { matched: 0, struck: 0 } }));
}

/** Indexes of the faults that have an effect. */
function effective(faults: Fault[], call: CallSubject = QUEUED): number[] {
  return effectiveOnCall(struck(...faults), call).map(({ fault }) => faults.indexOf(fault));
}

function matches(event: string, name: string, status?: number): boolean {
  return matchesEvent({ kind: 'webhook-lose', event }, name, status);
}

function bends(about: { route?: string; event?: string }): boolean[] {
  const fault = { kind: 'extra-fields', ...about } as const;
  return [bendsCalls(fault), bendsDeliveries(fault)];
}

describe('a fault', () => {
  it('matches calls by a regular expression on method and path, with or without the query', () => {
    const fault = { kind: 'delay', route: '^GET /v1/Orders/\\d+/webhook-payload$' } as const;
    expect(matchesCall(fault, 'GET', '/v1/Orders/7/webhook-payload?version=2')).toBe(true);
    expect(matchesCall({ ...fault, route: 'version=2' }, 'GET', '/v1/Orders/7/webhook-payload?version=2')).toBe(true);
    expect(matchesCall(fault, 'PATCH', '/v1/Orders/7/status')).toBe(false);
    expect(matchesCall({ kind: 'delay' }, 'PATCH', '/anything')).toBe(true);
  });

  it('matches events by their whole name', () => {
    expect(matches('Order_Updated', 'Order_Updated')).toBe(true);
    expect(matches('Order_.*', 'Order_StatusUpdateFailed')).toBe(true);
    expect(matches('Order', 'Order_Updated')).toBe(false);
  });

  it('can match the events of an order by its status', () => {
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

  it('strikes for the given milliseconds, unless these are its own delay', () => {
    const fault = begun({ kind: 'error-before', ms: 100 } as const, 1_000);
    expect([1_000, 1_099, 1_100].map((nowMs) => isOver(fault, nowMs))).toEqual([false, false, true]);
    expect(isOver(begun({ kind: 'delay', ms: 100 } as const, 1_000), 5_000)).toBe(false);
  });

  it('of extra fields changes answers by route, notifications by event, and both if it has neither', () => {
    expect([bends({}), bends({ route: 'x' }), bends({ event: 'x' })]).toEqual([
      [true, true],
      [true, false],
      [false, true],
    ]);
  });

  it('of calls and of notifications is counted apart', () => {
    const fault = { kind: 'extra-fields', share: 0.5 } as const;
    expect(countedApart(fault)).toEqual([
      { ...fault, route: '.*' },
      { ...fault, event: '.*' },
    ]);
    expect(countedApart({ ...fault, route: 'x', event: 'y' })).toEqual([
      { ...fault, route: 'x' },
      { ...fault, event: 'y' },
    ]);
    const others: Fault[] = [
      { ...fault, route: 'x' },
      { ...fault, event: 'y' },
      { kind: 'webhook-lose' },
      { kind: 'delay' },
    ];
    expect(others.flatMap(countedApart)).toEqual(others);
  });

  it('shuffles within its window, differently for each notification', () => {
    const fault: Fault = { kind: 'webhook-shuffle', ms: 100, seed: 4 };
    const delays = [0, 1, 2, 3].map((matched) => deliveryPlan([{ fault, count: { matched, struck: 0 } }]).delayMs);
    expect(Math.max(...delays)).toBeLessThan(100);
    expect(new Set(delays).size).toBeGreaterThan(1);
  });
});

it('several faults of one call add up to one plan', () => {
  expect(planOf({ kind: 'delay', ms: 5 }, { kind: 'drop-after' }, { kind: 'core-silent' })).toEqual({
    delayMs: 5,
    before: undefined,
    after: { kind: 'drop' },
    outcomeFirstMs: undefined,
    refuseStatus: undefined,
    core: { silent: true },
    kinds: ['delay', 'drop-after', 'core-silent'],
    late: undefined,
    lagMs: 0,
    shows1300: false,
    reopenMs: undefined,
    changes: [],
  });
});

it('of several faults that end a call, the gateway’s comes first, and a drop before an error', () => {
  const faults: Fault[] = [{ kind: 'error-before' }, { kind: 'drop-before' }, { kind: 'error-after', status: 503 }];
  expect(planOf(...faults)).toMatchObject({ kinds: ['drop-before'], before: { kind: 'drop' } });
  expect(planOf(...faults, { kind: 'credentials-expired' }).before).toEqual({
    kind: 'credentials-expired',
    status: 401,
  });
});

describe('of the faults of one call, those that have no effect do not count as struck:', () => {
  const batch = { isQueued: true, products: ['a', 'b', null] };
  const read = { isQueued: false, products: ['a'] };

  it.each<[string, Fault[], CallSubject, number[]]>([
    ['the second of a kind', [{ kind: 'error-after' }, { kind: 'error-after' }], QUEUED, [0]],
    ['the second that refuses all', [{ kind: 'refuse' }, { kind: 'core-silent' }], batch, [0]],
    [
      'none of those aimed at two items',
      [
        { kind: 'refuse', product: 'a' },
        { kind: 'refuse', product: 'b' },
      ],
      batch,
      [0, 1],
    ],
    [
      'the second aimed at one item',
      [
        { kind: 'refuse', product: 'a' },
        { kind: 'core-silent', product: 'a' },
      ],
      batch,
      [0],
    ],
    ['one aimed at an item that has another', [{ kind: 'refuse' }, { kind: 'refuse', product: 'a' }], batch, [0]],
    ['not one of the other items', [{ kind: 'refuse', product: 'a' }, { kind: 'refuse' }], batch, [0, 1]],
    [
      'one of the other items, if there are none',
      [{ kind: 'refuse', product: 'a' }, { kind: 'refuse' }],
      { ...batch, products: ['a'] },
      [0],
    ],
    [
      'all after an answer of the gateway',
      [{ kind: 'late' }, { kind: 'delay' }, { kind: 'refuse' }, { kind: 'too-many-requests' }],
      batch,
      [1, 3],
    ],
    ['all after a refused read', [{ kind: 'extra-fields' }, { kind: 'refuse' }, { kind: 'drop-after' }], read, [1]],
    [
      'all that answers a late call',
      [{ kind: 'error-after' }, { kind: 'null-lists' }, { kind: 'late' }, { kind: 'refuse' }],
      batch,
      [2, 3],
    ],
    ['what changes the answer of a call that has none', [{ kind: 'drop-after' }, { kind: 'extra-fields' }], batch, [0]],
    ['the end that another end precedes', [{ kind: 'error-after' }, { kind: 'drop-after' }], batch, [1]],
    ['the way back of an order that does not go on', [{ kind: 'reopen' }, { kind: 'core-silent' }], QUEUED, [1]],
  ])('%s', (_what, faults, call, expected) => {
    expect(effective(faults, call)).toEqual(expected);
  });

  it('without any of them the plan is the same', () => {
    const kinds = FAULT_KINDS.filter((kind) => bendsCalls({ kind }));
    const anyFault = record({ kind: constantFrom(...kinds), product: constantFrom(undefined, 'a', 'b') });
    assert(
      property(array(anyFault, { maxLength: 5 }), constantFrom(batch, read, QUEUED), (faults, call) => {
        const all = effectiveOnCall(struck(...faults), call);
        expect(effectiveOnCall(all, call)).toEqual(all);
        for (const one of all) expect(callPlan(all.filter((other) => other !== one))).not.toEqual(callPlan(all));
      }),
    );
  });
});

it('nothing changes a notification that is lost', () => {
  const faults: Fault[] = [{ kind: 'webhook-double' }, { kind: 'webhook-delay' }, { kind: 'webhook-lose' }];
  expect(effectiveOnDelivery(struck(...faults)).map(({ fault }) => fault.kind)).toEqual(['webhook-lose']);
});

it('several faults of one notification add up to one plan', () => {
  expect(
    deliveryPlan([
      { fault: { kind: 'webhook-double' }, count: { matched: 0, struck: 0 } },
      { fault: { kind: 'webhook-delay', ms: 10 }, count: { matched: 0, struck: 0 } },
      { fault: { kind: 'webhook-delay', ms: 20 }, count: { matched: 0, struck: 0 } },
    ]),
  ).toEqual({ lost: false, copies: 2, delayMs: 30, changes: [], leftShare: undefined, poison: undefined });
});

it('no corrupted object is JSON', () => {
  assert(
    property(object(), double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (whole, leftShare) => {
      const left = corrupted(Buffer.from(JSON.stringify(whole)), leftShare);
      expect(left.length).toBeGreaterThan(0);
      expect(() => JSON.parse(left.toString()) as unknown).toThrow(SyntaxError);
    }),
  );
});

it('extra fields are added to every object, and unknown codes to enumerations; existing fields stay', () => {
  const extra = withExtraFields({
    origin: 2,
    type: 'text',
    status: 300,
    items: [{ id: 'x' }],
    list: ['a'],
    none: null,
  });
  expect(extra).toMatchObject({ origin: 99, type: 'text', status: 300, list: ['a'], none: null });
  expect(extra).toHaveProperty('addedLater');
  expect(extra).toHaveProperty('items.0.addedLater');
});
