import { describe, expect, it } from '@jest/globals';
import { fullBrand, referenceProgress } from '../../test/support/reference-samples.ts';
import type { OperationReport } from '../notifications/operation-report.ts';
import { type LaneOperations, operationsOf } from '../records/record-attempts.ts';
import { findReferenceCorrections, unlessChanged } from './reference-corrections.ts';
import type { SettledRecord } from './reference-lane-state.ts';

const accepted = { kind: 'accepted', operationId: 'op-1', at: '2026-11-20T13:00:02.000Z' } as const;
const before = [
  { externalReference: 'serra', record: fullBrand({ title: 'Antes' }), parent: null, exists: true, revision: '4' },
];
const settled: SettledRecord = {
  commandId: 'r-1',
  command: 'upsert',
  outcome: 'applied',
  resultId: 'acme:result:erp.catalog.brands.v1:r-1:applied',
  progress: referenceProgress([accepted]),
  operationIds: ['op-1'],
  before,
  receivedAt: '2026-11-20T13:00:00.000Z',
  attempts: 1,
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
};

function report(more: Partial<OperationReport> = {}): OperationReport {
  const entity = { kind: 'brand', externalReference: 'serra' } as const;
  return { id: '11', operationId: 'op-1', entity, failed: true, error: { statusCode: 422 }, ...more };
}
const find = (record: SettledRecord, ...reports: OperationReport[]) =>
  findReferenceCorrections('brand', [record], reports, { language: 'pt-BR', operations: { past: [], open: [] } });

const at = (revision: string) => new Map([['serra', revision]]);

describe('a brand or category record after its settle time', () => {
  it('is corrected to refused by a late failure, and what it changed is as it was before (rule 24)', () => {
    expect(find(settled, report())).toMatchObject([
      { concluded: { conclusion: { outcome: 'refused' }, effect: { restored: before, inDoubt: [] } } },
    ]);
  });

  it('does not change by a late success or by a failure of another operation', () => {
    expect(find(settled, report({ failed: false, error: null }))).toEqual([]);
    expect(find(settled, report({ operationId: 'op-2' }))).toEqual([]);
  });

  it('leaves in doubt what another record has changed since (rule 28)', () => {
    const [refused] = find(settled, report());
    expect(unlessChanged([refused!], at('5'))).toMatchObject([{ restored: before, inDoubt: [] }]);
    expect(unlessChanged([refused!], at('6'))).toMatchObject([{ restored: [], inDoubt: ['serra'] }]);
    const unconfirmed = { ...settled, outcome: 'unconfirmed' as const };
    const [entered] = find(unconfirmed, report({ failed: false, error: null }));
    expect(unlessChanged([entered!], at('5'))).toMatchObject([{ entered: [{}], inDoubt: [] }]);
    expect(unlessChanged([entered!], at('6'))).toMatchObject([{ entered: [], inDoubt: ['serra'] }]);
  });

  it('leaves in doubt what two records changed that are refused at the same time, in either order (rule 28)', () => {
    const [first] = find(settled, report());
    const between = before.map((each) => ({ ...each, revision: '5' }));
    const [second] = find({ ...settled, before: between }, report());
    expect(unlessChanged([first!, second!], at('6'))).toMatchObject([
      { restored: [], inDoubt: ['serra'] },
      { restored: [], inDoubt: ['serra'] },
    ]);
    expect(unlessChanged([second!, first!], at('6'))).toMatchObject([
      { restored: between },
      { restored: [], inDoubt: ['serra'] },
    ]);
  });

  it('is corrected by no report that may be of another record whose answer was lost, or is of one (rule 16)', () => {
    const lost = referenceProgress([{ kind: 'unknown', cause: 'timeout' }]);
    const unconfirmed = { ...settled, outcome: 'unconfirmed' as const, progress: lost, operationIds: [] };
    const own = operationsOf(lost);
    const correctionsWith = (operations: LaneOperations) =>
      findReferenceCorrections('brand', [unconfirmed], [report({ operationId: 'op-x' })], {
        language: 'en',
        operations,
      });
    expect(correctionsWith({ past: own, open: [] })).toHaveLength(1);
    expect(correctionsWith({ past: own, open: [lost] })).toEqual([]);
    expect(correctionsWith({ past: [...own, ...own], open: [] })).toEqual([]);
    expect(correctionsWith({ past: [...own, 'op-x'], open: [] })).toEqual([]);
  });

  it('has an unknown outcome if its batch failed without naming a record', () => {
    const shared = { ...settled, progress: referenceProgress([accepted], { shared: true }) };
    expect(find(shared, report({ entity: null }))).toMatchObject([
      { concluded: { conclusion: { outcome: 'unconfirmed' }, effect: { inDoubt: ['serra'] } } },
    ]);
  });

  it('as unconfirmed is corrected to applied or refused by a later report', () => {
    const lost = referenceProgress([{ kind: 'unknown', cause: 'timeout' }]);
    const unconfirmed = { ...settled, outcome: 'unconfirmed' as const, progress: lost, operationIds: [] };
    expect(find(unconfirmed, report({ operationId: 'op-x' }))).toMatchObject([
      { concluded: { conclusion: { outcome: 'refused' }, effect: { restored: [], entered: [] } } },
    ]);
    expect(find(unconfirmed, report({ operationId: 'op-x', failed: false, error: null }))).toMatchObject([
      { concluded: { conclusion: { outcome: 'applied' }, effect: { entered: [{ externalReference: 'serra' }] } } },
    ]);
  });
});
