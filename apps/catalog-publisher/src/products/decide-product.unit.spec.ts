import { attemptedAt, decisionOf, LOST, PENDING } from '@gondola/shared/testing/decisions';
import { describe, expect, it } from '@jest/globals';
import { progressOf, rejectedReport, successReport } from '../../test/support/product-samples.ts';
import { decideProduct, type ProductSituation } from './decide-product.ts';
import { withRead } from './product-progress.ts';
import { readProductReport, type StoredReport } from '../notifications/product-report.ts';

const SENT_AT = Date.parse('2026-11-20T13:00:00.000Z');
const SETTINGS = { deadlineMs: 900_000, lostAnswerMs: 5_000, timeoutMs: 30_000, maxAttempts: 3 };
const AT = '2026-11-20T13:00:00.100Z';
const accepted = (operationId: string | null) => ({ kind: 'accepted', operationId, at: AT }) as const;

const decide = decisionOf(
  decideProduct,
  (elapsedMs): ProductSituation => ({
    externalReference: '4711',
    progress: progressOf([]),
    reports: [],
    operationReports: [],
    otherOperations: new Set(),
    deadlineInMs: SETTINGS.deadlineMs - elapsedMs,
    nowMs: SENT_AT + elapsedMs,
    language: 'pt-BR',
    consumedUpToMs: SENT_AT + elapsedMs,
  }),
  SETTINGS,
);

function report(id: string, operationId: string, data: unknown = successReport()): StoredReport {
  return { id, operationId, report: readProductReport(Buffer.from(JSON.stringify(data)))! };
}

describe('a product record that was sent', () => {
  it('is sent first', () => {
    expect(decide({ progress: progressOf([]), deadlineInMs: null })).toEqual({ kind: 'send' });
  });

  it('ends by the report of its own operation, also by one that came before the answer (rule 25)', () => {
    const end = decide({ progress: progressOf([accepted('op-1')]), reports: [report('1', 'op-1')] });
    expect(end).toMatchObject({
      kind: 'conclude',
      concluded: { conclusion: { outcome: 'applied', evidence: 'event' }, effect: { kind: 'entered' } },
    });
  });

  it('waits until silence is certain, whatever was reported about other operations (rule 25)', () => {
    const waiting = decide({
      progress: progressOf([accepted('op-1')]),
      reports: [report('1', 'op-2', rejectedReport())],
    });
    expect(waiting).toEqual({ kind: 'wait', ms: 300_000 });
  });

  it('ends by a report that came since where the answer was lost, but not by a late one of an operation that ended (rules 16, 25)', () => {
    for (const lost of [LOST, PENDING, accepted(null)]) {
      const progress = progressOf([lost]);
      expect(decide({ progress, reports: [report('1', 'op-x')] })).toMatchObject({ kind: 'conclude' });
      const past = { progress, reports: [report('1', 'op-x')], otherOperations: new Set(['op-x']) };
      expect(decide(past)).toMatchObject({ kind: 'wait' });
      const before = { progress: { ...progress, attempts: [{ ...progress.attempts[0]!, seenReportId: '1' }] } };
      expect(decide({ ...before, reports: [report('1', 'op-x')] })).toMatchObject({ kind: 'wait' });
    }
  });

  it('is read soon after a lost answer before it is sent again (rule 16)', () => {
    const progress = progressOf([LOST]);
    expect(decide({ progress }, 4_000)).toEqual({ kind: 'wait', ms: 1_000 });
    expect(decide({ progress }, 5_000)).toEqual({ kind: 'read', final: false });
    for (const verdict of ['differs', 'cannot-tell'] as const) {
      expect(decide({ progress: withRead(progress, verdict, false) }, 5_000)).toEqual({ kind: 'send' });
    }
    expect(decide({ progress: withRead(progress, 'as-asked', false) }, 5_000)).toMatchObject({
      concluded: { conclusion: { outcome: 'applied', evidence: 'read-back' }, effect: { kind: 'entered' } },
    });
  });

  it('is read back if no report comes, and sent again a bounded number of times (rule 27)', () => {
    const once = progressOf([accepted('op-1')]);
    expect(decide({ progress: once }, 300_000)).toEqual({ kind: 'read', final: false });
    expect(decide({ progress: withRead(once, 'differs', false) }, 300_000)).toEqual({ kind: 'send' });
    const read = { attempts: 1, verdict: 'differs', final: false } as const;
    const twice = progressOf([accepted('op-1'), accepted('op-2')], { read });
    expect(decide({ progress: twice }, 300_000)).toEqual({ kind: 'wait', ms: 300_000 });
    const lostThrice = attemptedAt(progressOf([LOST, LOST, LOST]), [0, 5, 15]);
    expect(decide({ progress: lostThrice }, 20_000)).toEqual({ kind: 'wait', ms: 15_000 });
    expect(decide({ progress: lostThrice }, 35_000)).toEqual({ kind: 'read', final: false });
    expect(decide({ progress: withRead(lostThrice, 'differs', false) }, 35_000)).toEqual({ kind: 'send' });
    const late = attemptedAt(lostThrice, [0, 315, 600]);
    expect(decide({ progress: withRead(late, 'differs', false) }, 620_000)).toEqual({ kind: 'wait', ms: 280_000 });
  });

  it('is read once more at the deadline and then unconfirmed, however few its attempts, and its values are in doubt (rules 5, 27)', () => {
    const end = {
      concluded: {
        conclusion: { outcome: 'unconfirmed', reason: { code: 'PLATFORM_SILENT' }, skus: [{ outcome: 'unconfirmed' }] },
        effect: { kind: 'in-doubt' },
      },
    };
    for (const answers of [[LOST], [accepted('op-1'), accepted('op-2'), accepted('op-3')]]) {
      const progress = progressOf(answers);
      expect(decide({ progress }, 901_000)).toEqual({ kind: 'read', final: true });
      expect(decide({ progress: withRead(progress, 'differs', false) }, 901_000)).toEqual({
        kind: 'read',
        final: true,
      });
      for (const verdict of ['differs', 'cannot-tell'] as const) {
        expect(decide({ progress: withRead(progress, verdict, true) }, 901_000)).toMatchObject(end);
      }
      expect(decide({ progress: withRead(progress, 'as-asked', true) }, 901_000)).toMatchObject({
        concluded: { conclusion: { outcome: 'applied' } },
      });
    }
  });

  it('does not count as silent while notifications wait to be consumed (rule 5)', () => {
    const progress = progressOf([accepted('op-1')]);
    const catchUp = { kind: 'catch-up', untilMs: SENT_AT + 300_000 };
    expect(decide({ progress, consumedUpToMs: SENT_AT + 299_999 }, 301_000)).toEqual(catchUp);
    expect(decide({ progress, consumedUpToMs: null }, 301_000)).toEqual(catchUp);
    expect(decide({ progress, consumedUpToMs: SENT_AT + 300_000 }, 301_000)).toMatchObject({ kind: 'read' });
    const read = withRead(progressOf([accepted('op-1')]), 'differs', true);
    expect(decide({ progress: read, consumedUpToMs: SENT_AT + 899_999 }, 901_000)).toMatchObject({ kind: 'catch-up' });
  });

  it('ends refused where a batch of it alone was answered 4xx (rule 25)', () => {
    const progress = progressOf([{ kind: 'refused', status: 422, message: 'no' }]);
    expect(decide({ progress })).toMatchObject({
      concluded: {
        conclusion: { outcome: 'refused', reason: { code: 'PLATFORM_REFUSED' }, platform: { statusCode: 422 } },
        effect: { kind: 'none' },
      },
    });
  });

  it('marks a report whose counts do not add up as an anomaly, and follows its fields (rule 26)', () => {
    const odd = { ...successReport(), summary: { status: 'Failed' } };
    const end = decide({ progress: progressOf([accepted('op-1')]), reports: [report('1', 'op-1', odd)] });
    expect(end).toMatchObject({ anomaly: true, concluded: { conclusion: { outcome: 'applied' } } });
  });

  it('is refused if a failure of its operation names it, and read back at once if the failure names no record', () => {
    const failure = { id: '5', operationId: 'op-1', failed: true, error: { statusCode: 500 } } as const;
    const progress = progressOf([accepted('op-1')]);
    const over = { ...failure, entity: { kind: 'product', externalReference: '4711' } } as const;
    expect(decide({ progress, operationReports: [over] })).toMatchObject({
      concluded: { conclusion: { outcome: 'refused', evidence: 'event', platform: { statusCode: 500 } } },
    });
    const overSomeone = { ...failure, entity: null };
    expect(decide({ progress, operationReports: [overSomeone] })).toEqual({ kind: 'read', final: false });
    const again = progressOf([accepted('op-1'), accepted('op-2')]);
    expect(decide({ progress: again, operationReports: [overSomeone] })).toMatchObject({ kind: 'wait' });
    const alone = progressOf([accepted('op-1')]);
    const attempts = alone.attempts.map((attempt) => ({ ...attempt, shared: false }));
    expect(decide({ progress: { ...alone, attempts }, operationReports: [overSomeone] })).toMatchObject({
      concluded: { conclusion: { outcome: 'refused' } },
    });
  });
});
