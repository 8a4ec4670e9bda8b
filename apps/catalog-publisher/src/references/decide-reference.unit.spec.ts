import { attemptedAt, decisionOf, LOST } from '@gondola/shared/testing/decisions';
import { describe, expect, it } from '@jest/globals';
import { referenceProgress, sentReference } from '../../test/support/reference-samples.ts';
import { decideReference, type ReferenceSituation } from './decide-reference.ts';
import type { OperationReport } from '../notifications/operation-report.ts';

const SENT_AT = Date.parse('2026-11-20T13:00:00.000Z');
const SETTINGS = { deadlineMs: 900_000, settleMs: 30_000, lostAnswerMs: 5_000, timeoutMs: 30_000, maxAttempts: 3 };
const accepted = { kind: 'accepted', operationId: 'op-1', at: '2026-11-20T13:00:02.000Z' } as const;
const serra = { kind: 'brand', externalReference: 'serra' } as const;
const tree = {
  body: { externalReference: 'a', children: [{ externalReference: 'b' }] },
  sent: [sentReference('a'), sentReference('b', 'a')],
};

const decide = decisionOf(
  decideReference,
  (elapsedMs): ReferenceSituation => ({
    kind: 'brand',
    progress: referenceProgress([]),
    reports: [],
    otherOperations: new Set<string>(),
    deadlineInMs: SETTINGS.deadlineMs - elapsedMs,
    nowMs: SENT_AT + elapsedMs,
    consumedUpToMs: SENT_AT + elapsedMs,
    language: 'pt-BR',
  }),
  SETTINGS,
);

function report(more: Partial<OperationReport> = {}): OperationReport {
  return { id: '11', operationId: 'op-1', entity: serra, failed: true, error: { statusCode: 422 }, ...more };
}

describe('a brand or category record that was sent', () => {
  it('is sent first', () => {
    expect(decide({ progress: referenceProgress([]), deadlineInMs: null })).toEqual({ kind: 'send' });
  });

  it('is presumed applied after the settle time, once all notifications of that time are stored (rules 5, 24)', () => {
    const progress = referenceProgress([accepted]);
    expect(decide({ progress }, 2_000)).toEqual({ kind: 'wait', ms: 30_000 });
    const untilMs = SENT_AT + 32_000;
    expect(decide({ progress, consumedUpToMs: untilMs - 1 }, 33_000)).toEqual({ kind: 'catch-up', untilMs });
    expect(decide({ progress, consumedUpToMs: untilMs }, 33_000)).toMatchObject({
      concluded: {
        conclusion: { outcome: 'applied', evidence: 'presumed' },
        effect: { entered: [{ externalReference: 'serra' }] },
      },
    });
  });

  it('is presumed also where the answer named no operation', () => {
    const progress = referenceProgress([{ ...accepted, operationId: null }]);
    expect(decide({ progress }, 33_000)).toMatchObject({ concluded: { conclusion: { evidence: 'presumed' } } });
    expect(decide({ progress, reports: [report({ operationId: 'op-x' })] }, 3_000)).toMatchObject({
      concluded: { conclusion: { outcome: 'refused' } },
    });
    const before = [report({ operationId: 'op-x', id: '10' })];
    expect(decide({ progress, reports: before }, 3_000)).toMatchObject({ kind: 'wait' });
  });

  it('is refused by a failure of its own, not by one of another operation (rule 24)', () => {
    const progress = referenceProgress([accepted]);
    expect(decide({ progress, reports: [report()] })).toMatchObject({
      concluded: { conclusion: { outcome: 'refused', evidence: 'event' }, effect: { entered: [] } },
    });
    expect(decide({ progress, reports: [report({ operationId: 'op-0' })] })).toMatchObject({ kind: 'wait' });
  });

  it('is applied by a notification without an error, whatever its name', () => {
    const progress = referenceProgress([accepted]);
    expect(decide({ progress, reports: [report({ failed: false, error: null })] })).toMatchObject({
      concluded: { conclusion: { outcome: 'applied', evidence: 'event' } },
    });
  });

  it('is refused by a failure that names no record if it was sent alone; else it is sent again (rules 6, 25)', () => {
    const nobody = [report({ entity: null })];
    expect(decide({ progress: referenceProgress([accepted]), reports: nobody })).toMatchObject({
      concluded: { conclusion: { outcome: 'refused' } },
    });
    const together = referenceProgress([accepted], { shared: true });
    expect(decide({ progress: together, reports: nobody })).toEqual({ kind: 'send' });
    const again = referenceProgress([accepted, { ...accepted, operationId: 'op-2' }], { shared: true });
    expect(decide({ progress: again, reports: nobody }, 2_000)).toEqual({ kind: 'wait', ms: 30_000 });
  });

  it('of a tree is decided after the settle time: the refused categories are named, the others are applied', () => {
    const progress = referenceProgress([accepted], tree);
    const reports = [report({ entity: { kind: 'category', externalReference: 'b' } })];
    const situation = { kind: 'category', progress, reports } as const;
    expect(decide(situation, 3_000)).toMatchObject({ kind: 'wait' });
    expect(decide(situation, 33_000)).toMatchObject({
      concluded: {
        conclusion: { outcome: 'refused', errors: [{ field: 'children[0].externalReference', hint: 'b' }] },
        effect: { entered: [{ externalReference: 'a' }] },
      },
    });
  });

  it('is sent again soon after a lost answer, then ever later, and unconfirmed at the deadline (rule 16)', () => {
    const once = referenceProgress([LOST]);
    expect(decide({ progress: once }, 4_000)).toEqual({ kind: 'wait', ms: 1_000 });
    expect(decide({ progress: once }, 5_000)).toEqual({ kind: 'send' });
    const thrice = attemptedAt(referenceProgress([LOST, LOST, LOST]), [0, 5, 15]);
    expect(decide({ progress: thrice }, 20_000)).toEqual({ kind: 'wait', ms: 15_000 });
    expect(decide({ progress: thrice }, 35_000)).toEqual({ kind: 'send' });
    const late = attemptedAt(thrice, [0, 315, 600]);
    expect(decide({ progress: late }, 620_000)).toEqual({ kind: 'wait', ms: 280_000 });
    expect(decide({ progress: thrice, consumedUpToMs: null }, 901_000)).toMatchObject({ kind: 'catch-up' });
    for (const progress of [once, thrice]) {
      expect(decide({ progress }, 901_000)).toMatchObject({
        concluded: { conclusion: { outcome: 'unconfirmed' }, effect: { inDoubt: ['serra'], entered: [] } },
      });
    }
  });

  it('is refused where a batch of it alone was answered 4xx (rule 25)', () => {
    const progress = referenceProgress([{ kind: 'refused', status: 422, message: 'no' }]);
    expect(decide({ progress })).toMatchObject({
      concluded: { conclusion: { outcome: 'refused', evidence: 'none', platform: { statusCode: 422 } } },
    });
  });

  it('of a removal is applied if the platform refuses it because nothing is there (rule 16)', () => {
    const progress = referenceProgress([accepted], { route: 'delete' });
    expect(decide({ progress, reports: [report({ error: { statusCode: 404 } })] })).toMatchObject({
      concluded: {
        conclusion: { outcome: 'applied', evidence: 'already-in-state' },
        effect: { removed: ['serra'], entered: [] },
      },
    });
    expect(decide({ progress, reports: [report()] })).toMatchObject({
      concluded: { conclusion: { outcome: 'refused' } },
    });
  });
});
