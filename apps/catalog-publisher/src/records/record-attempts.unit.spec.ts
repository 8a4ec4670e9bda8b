import { describe, expect, it } from '@jest/globals';
import { answeringReport, operationsOf, pastOperations, type RecordAttempt } from './record-attempts.ts';

describe('pastOperations', () => {
  it('remembers the newest twenty operations, newest last', () => {
    const before = Array.from({ length: 19 }, (_, n) => `operation ${n}`);
    expect(pastOperations(before, ['a'])).toEqual([...before, 'a']);
    expect(pastOperations(before, ['a', 'b', 'c'])).toEqual([...before.slice(2), 'a', 'b', 'c']);
  });
});

describe('the report of a call whose answer was lost (rule 16)', () => {
  const lost: RecordAttempt = {
    at: '2026-11-20T13:00:00.000Z',
    seenReportId: '5',
    shared: false,
    answer: { kind: 'unknown', cause: 'timeout' },
  };
  const reports = [{ id: '7', operationId: 'op-x' }];

  it('is the first since that names no operation of another record', () => {
    const since = (seenReportId: string, others: string[] = []) =>
      answeringReport({ attempts: [{ ...lost, seenReportId }] }, reports, new Set(others));
    expect(since('5')).toEqual(reports[0]);
    expect(since('7')).toBeNull();
    expect(since('5', ['op-x'])).toBeNull();
  });

  it('is told by nobody if the answer of the record before was lost, too: it may be of that one', () => {
    const before = pastOperations([], operationsOf({ attempts: [lost] }));
    expect(answeringReport({ attempts: [lost] }, reports, new Set(before))).toBeNull();
    const named = { ...lost, answer: { kind: 'accepted', operationId: 'op-x', at: lost.at } as const };
    expect(answeringReport({ attempts: [lost, named] }, reports, new Set(before))).toEqual(reports[0]);
  });

  it('is told by nobody if the record before was accepted without an operation, either (rule 16)', () => {
    const accepted = { ...lost, answer: { kind: 'accepted', operationId: null, at: lost.at } as const };
    const before = pastOperations([], operationsOf({ attempts: [accepted] }));
    expect(answeringReport({ attempts: [lost] }, reports, new Set(before))).toBeNull();
  });
});
