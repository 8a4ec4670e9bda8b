import { attemptedAt, LOST } from '@gondola/shared/testing/decisions';
import { describe, expect, it } from '@jest/globals';
import { assert, array, constantFrom, property } from 'fast-check';
import { ACCEPTED, contextAt, freshValue, sentValue, situationOf } from '../../test/support/value-samples.ts';
import type { OperationReport } from '../notifications/operation-report.ts';
import { type OpenValue, planValues, type ValuePlan, type ValueSituation } from './plan-values.ts';
import { NEW_VALUE_LANE } from './value-lane-state.ts';

const plan = (values: readonly OpenValue[], afterMs = 0, more: Partial<ValueSituation> = {}) =>
  planValues(situationOf(values, more), contextAt(afterMs));
const endsOf = ({ ends }: ValuePlan) =>
  ends.map(({ id, conclusion: { outcome, reason } }) => [id, reason?.code ?? outcome]);
const failure = (more: Partial<OperationReport> = {}): OperationReport => ({
  id: '11',
  operationId: 'op-1',
  entity: { kind: 'price', externalReference: 'guid-1/p' },
  failed: true,
  error: { statusCode: 422, message: '{}', validationErrors: [{ id: 1, key: 'Price', validation: 'too low' }] },
  ...more,
});

describe('several values that wait', () => {
  it('only the newest is sent, and the others are superseded (rule 30)', () => {
    const planned = plan([freshValue('a', 1), freshValue('b', 2), freshValue('c', 3)]);
    expect(endsOf(planned)).toEqual([
      ['a', 'superseded'],
      ['b', 'superseded'],
    ]);
    expect(planned.head).toMatchObject({ id: 'c', next: { kind: 'send', progress: { body: { price: 3 }, turn: 1 } } });
  });

  it('an invalid value, or one with an older version, does not supersede others (rules 20, 28)', () => {
    const planned = plan([
      freshValue('a', 1, { sourceVersion: 5 }),
      freshValue('b', 2, { sourceVersion: 4 }),
      freshValue('c', 3, { op: 'delete' }),
    ]);
    expect(endsOf(planned)).toEqual([
      ['b', 'STALE_VERSION'],
      ['c', 'COMMAND_UNKNOWN'],
    ]);
    expect(planned.head).toMatchObject({ id: 'a', next: { kind: 'send' } });
  });

  it('none is sent while more values wait than were loaded, since a newer one follows', () => {
    const planned = plan([freshValue('a', 1), freshValue('b', 2)], 0, { hasMore: true });
    expect(endsOf(planned)).toEqual([['a', 'superseded']]);
    expect(planned).toMatchObject({ head: null, dueInMs: 0 });
  });

  it('wait for an unknown SKU, and publish that once (contract, Catalog records)', () => {
    const missing = { kind: 'sku', externalReference: '4711-1', field: 'externalReference' } as const;
    const planned = plan([freshValue('a', 1), freshValue('b', 2)], 0, { missing });
    expect(endsOf(planned)).toEqual([['a', 'superseded']]);
    const { head } = planned;
    if (head?.next.kind !== 'announce') throw new Error('not announced');
    expect(head.next.waiting.for).toEqual([{ kind: 'sku', externalReference: '4711-1' }]);
    const told = { ...freshValue('b', 2), waiting: head.next.waiting };
    expect(plan([told], 1_000, { missing }).head?.next).toEqual({ kind: 'wait', ms: 86_399_000 });
    expect(endsOf(plan([told], 86_400_000, { missing }))).toEqual([['b', 'REFERENCE_MISSING']]);
  });
});

describe('a value that was sent', () => {
  it('does not block the next value while it settles: the lane is free once its call is answered (rule 30)', () => {
    const planned = plan([sentValue('a', 1, [ACCEPTED]), freshValue('b', 2)], 1_000);
    expect(endsOf(planned)).toEqual([]);
    expect(planned.dueInMs).toBe(29_000);
    expect(planned.head).toMatchObject({ id: 'b', next: { kind: 'send', progress: { turn: 2 } } });
  });

  it('is presumed applied if no failure came within the settle time and all notifications are stored (rule 5)', () => {
    const values = [sentValue('a', 1, [ACCEPTED])];
    expect(plan(values, 30_000).ends[0]).toMatchObject({ conclusion: { outcome: 'applied', evidence: 'presumed' } });
    const behind = planValues(situationOf(values), contextAt(31_000, { consumedUpToMs: null }));
    expect(behind).toMatchObject({ ends: [], catchUpToMs: contextAt(30_000).nowMs });
  });

  it('is refused by the failure that names it, in the fields of its data (rule 30)', () => {
    const planned = plan([sentValue('a', 1, [ACCEPTED])], 1_000, { reports: [failure()] });
    expect(planned.ends).toMatchObject([
      {
        effect: 'none',
        conclusion: { outcome: 'refused', evidence: 'event', errors: [{ field: 'data.Price', hint: 'too low' }] },
      },
    ]);
    const other = failure({ entity: { kind: 'price', externalReference: 'guid-2/p' } });
    expect(plan([sentValue('a', 1, [ACCEPTED])], 1_000, { reports: [other] }).ends).toEqual([]);
  });

  it('alone is refused by any failure of its operation, whatever that names (rule 30)', () => {
    const [sending] = sentValue('a', 1, [ACCEPTED]).progress!.attempts;
    const value = sentValue('a', 1, [ACCEPTED]);
    const alone = { ...value, progress: { ...value.progress!, attempts: [{ ...sending!, shared: false }] } };
    for (const entity of [null, { kind: 'stock', externalReference: 'x' } as const]) {
      expect(plan([alone], 1_000, { reports: [failure({ entity })] }).ends).toMatchObject([
        { conclusion: { outcome: 'refused' } },
      ]);
    }
  });

  it('is sent again if its batch failed without naming a record, unless a newer value replaces it', () => {
    const reports = [failure({ entity: null })];
    expect(plan([sentValue('a', 1, [ACCEPTED])], 1_000, { reports }).head).toMatchObject({
      id: 'a',
      next: { kind: 'send' },
    });
    const overtaken = plan([sentValue('a', 1, [ACCEPTED]), freshValue('b', 2)], 1_000, { reports });
    expect(overtaken.ends).toMatchObject([{ id: 'a', effect: 'in-doubt', conclusion: { outcome: 'superseded' } }]);
  });

  it('with a lost answer is sent again, or superseded by a newer one that waits for a time-out (rules 16, 30)', () => {
    const lost = sentValue('a', 1, [{ ...LOST, at: '2026-11-20T13:00:01.000Z' }]);
    expect(plan([lost], 5_000).head).toMatchObject({
      id: 'a',
      next: { kind: 'send', progress: { body: { price: 1 } } },
    });
    for (const [afterMs, next] of [
      [1_000, { kind: 'wait', ms: 30_000 }],
      [31_000, { kind: 'send' }],
    ] as const) {
      const planned = plan([lost, freshValue('b', 2)], afterMs);
      expect(endsOf(planned)).toEqual([['a', 'superseded']]);
      expect(planned.head).toMatchObject({ id: 'b', next });
    }
  });

  it('is sent once more when the lost call of an older one can no longer land, and applied then (rule 16)', () => {
    const state = { ...NEW_VALUE_LANE, lostCallEndAt: '2026-11-20T12:59:50.000Z' };
    const value = sentValue('a', 1, [ACCEPTED]);
    expect(plan([value], 30_000, { state })).toMatchObject({ ends: [], head: null, dueInMs: 50_000 });
    expect(plan([value], 80_000, { state })).toMatchObject({ ends: [], head: { id: 'a', next: { kind: 'send' } } });
    const again = sentValue('a', 1, [ACCEPTED, { ...ACCEPTED, at: '2026-11-20T13:01:20.000Z' }]);
    const sent = { ...again, progress: attemptedAt(again.progress!, [0, 80]) };
    expect(plan([sent], 110_000, { state }).ends).toMatchObject([
      { effect: 'entered', conclusion: { outcome: 'applied' } },
    ]);
  });

  it('without an answer is sent ever later, then unconfirmed at the deadline, and the platform’s value becomes unknown (rule 5)', () => {
    const lost = sentValue('a', 1, [LOST, LOST, LOST]);
    const again = { ...lost, progress: attemptedAt(lost.progress!, [0, 5, 15]) };
    expect(plan([again], 20_000)).toMatchObject({ ends: [], head: null, dueInMs: 15_000 });
    expect(plan([again], 35_000)).toMatchObject({ ends: [], head: { id: 'a', next: { kind: 'send' } } });
    const silent = { ...lost, progress: attemptedAt(lost.progress!, [0, 315, 600]), deadlineInMs: 60_000 };
    expect(plan([silent], 840_000)).toMatchObject({ ends: [], head: null, dueInMs: 60_000 });
    const over = plan([{ ...silent, deadlineInMs: 0 }], 900_000);
    expect(over.ends).toMatchObject([{ effect: 'in-doubt', conclusion: { outcome: 'unconfirmed' } }]);
  });
});

describe('a value that the platform has', () => {
  const state = { ...NEW_VALUE_LANE, applied: { price: 3, skuId: 'guid-1', commercialPolicyId: 'p' }, turn: 4 };

  it('is unchanged, unless it is forced or another one is on its way (rule 28)', () => {
    expect(endsOf(plan([freshValue('a', 3)], 0, { state }))).toEqual([['a', 'unchanged']]);
    expect(plan([freshValue('a', 3, { force: true })], 0, { state }).head).toMatchObject({ next: { kind: 'send' } });
    const between = plan([sentValue('a', 9, [ACCEPTED], 5), freshValue('b', 3)], 1_000, { state });
    expect(between.head).toMatchObject({ id: 'b', next: { kind: 'send', progress: { turn: 6 } } });
  });
});

describe('any open records of a lane', () => {
  it('each is concluded at most once, at most one is sent, and none older than an accepted one (guarantee 3, rule 30)', () => {
    const makers = [
      (id: string) => freshValue(id, 1),
      (id: string) => freshValue(id, 1, { op: 'delete' }),
      (id: string) => sentValue(id, 1, [ACCEPTED]),
      (id: string) => sentValue(id, 1, [LOST]),
    ];
    const cases = array(constantFrom(...makers), { maxLength: 8 });
    assert(
      property(cases, constantFrom(0, 4_000, 6_000, 40_000), (chosen, afterMs) => {
        const values = chosen.map((make, index) => make(String(index)));
        const { ends, head } = plan(values, afterMs);
        const ended = ends.map(({ id }) => id);
        expect(new Set(ended).size).toBe(ended.length);
        if (head === null) return;
        expect(ended).not.toContain(head.id);
        const newer = values.slice(values.findIndex(({ id }) => id === head.id) + 1);
        const accepted = newer.filter(({ progress }) => progress?.attempts.at(-1)?.answer.kind === 'accepted');
        expect(accepted.filter(({ id }) => !ended.includes(id))).toEqual([]);
      }),
    );
  });
});
