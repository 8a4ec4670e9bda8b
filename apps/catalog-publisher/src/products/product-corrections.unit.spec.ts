import { describe, expect, it } from '@jest/globals';
import { fullProduct, rejectedReport, successReport } from '../../test/support/product-samples.ts';
import { findCorrections } from './product-corrections.ts';
import {
  afterCorrections,
  afterRecord,
  UNKNOWN_PRODUCT,
  type RecordOutcome,
  type UnconfirmedRecord,
} from '../product-state/known-product.ts';
import type { OperationReport } from '../notifications/operation-report.ts';
import { readProductReport } from '../notifications/product-report.ts';

const record: UnconfirmedRecord = {
  commandId: 'r-1',
  command: 'upsert',
  resultId: 'acme:result:erp.catalog.products.v1:r-1:unconfirmed',
  body: fullProduct(),
  operationIds: ['op-1'],
  calls: [
    {
      at: '2026-11-20T13:00:00.000Z',
      seenReportId: '0',
      shared: true,
      answer: { kind: 'accepted', operationId: 'op-1', at: '2026-11-20T13:00:00.100Z' },
    },
  ],
  receivedAt: '2026-11-20T13:00:00.000Z',
  attempts: 3,
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  overtaken: false,
};
/** No other record of the product is known. */
const ALONE = { language: 'pt-BR', operations: { past: [], open: [] } } as const;
const late = (operationId: string, data: unknown = successReport()) => [
  { id: '7', operationId, report: readProductReport(Buffer.from(JSON.stringify(data)))! },
];
const find = (reports: ReturnType<typeof late>, unconfirmed = [record]) =>
  findCorrections(unconfirmed, { reports, operationReports: [] }, '4711', ALONE);

const failure = (entity: OperationReport['entity']): OperationReport => ({
  id: '9',
  operationId: 'op-1',
  entity,
  failed: true,
  error: { statusCode: 422 },
});

const corrected = (entity: OperationReport['entity']) =>
  findCorrections([record], { reports: [], operationReports: [failure(entity)] }, '4711', ALONE);

const LAST_END: Omit<RecordOutcome, 'commandId'> = {
  command: 'upsert',
  outcome: 'unconfirmed',
  reason: null,
  errors: [],
  finishedAt: '2026-11-20T13:00:00.000Z',
};

describe('a record that ended unconfirmed', () => {
  it('is corrected by a late report of its own operation, once', () => {
    const corrections = find(late('op-1'));
    expect(corrections).toMatchObject([{ concluded: { conclusion: { outcome: 'applied', evidence: 'event' } } }]);
    const lastEnd = { ...LAST_END, commandId: record.commandId };
    const known = afterCorrections({ ...UNKNOWN_PRODUCT, unconfirmed: [record], lastEnd }, corrections);
    expect(known.lastEnd).toMatchObject({
      commandId: record.commandId,
      outcome: 'applied',
      finishedAt: LAST_END.finishedAt,
    });
    expect(known).toMatchObject({ exists: true, skus: ['4711-1'], unconfirmed: [] });
    expect(known.applied.product['name']).toBe('Queijo Minas Frescal');
  });

  it('is corrected to refused by a late refusal', () => {
    expect(find(late('op-1', rejectedReport()))).toMatchObject([{ concluded: { conclusion: { outcome: 'refused' } } }]);
  });

  it('is not corrected by a report of another operation', () => {
    expect(find(late('op-2'))).toEqual([]);
  });

  it('leaves its values in doubt where a later record changed the product since (rule 28)', () => {
    const before = { ...UNKNOWN_PRODUCT, unconfirmed: [record] };
    const effect = { kind: 'entered', body: { name: 'Outro' }, skus: new Set<string>() } as const;
    const ended = {
      effect,
      sourceVersion: null,
      lostCallEndMs: null,
      operationIds: ['op-2'],
      unconfirmed: null,
      commandId: 'r-2',
      command: 'upsert',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      lastEnd: { ...LAST_END, commandId: 'r-2' },
    };
    const known = afterRecord(before, ended);
    expect(known.unconfirmed).toMatchObject([{ overtaken: true }]);
    const after = afterCorrections(known, find(late('op-1'), [...known.unconfirmed]));
    expect(after.lastEnd).toBe(known.lastEnd);
    expect(after.applied.product['name']).toBeUndefined();
  });

  it('is corrected by the failure of its operation over it, without a report', () => {
    expect(corrected({ kind: 'product', externalReference: '4711' })).toMatchObject([
      { concluded: { conclusion: { outcome: 'refused', platform: { statusCode: 422 } } } },
    ]);
    expect(corrected({ kind: 'product', externalReference: '4712' })).toEqual([]);
    // Others went in the same call, and nobody says over whom it failed.
    expect(corrected(null)).toEqual([]);
  });
});
