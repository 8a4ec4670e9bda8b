import { describe, expect, it } from '@jest/globals';
import { conflictResult, correctionResult, finalResult, type ResultSubject, waitingResult } from './command-results.ts';
import { applied, invalid, refused, unconfirmed } from './conclusion.ts';

const SUBJECT: ResultSubject = {
  tenant: 'acme',
  inputTopic: 'erp.catalog.products.v1',
  commandId: 'c-1',
  command: 'upsert',
  entity: { kind: 'product', externalReference: '4711' },
  receivedAt: '2026-11-20T09:00:00.000Z',
};
const time = '2026-11-20T10:00:00.000Z';

describe('the results of a command', () => {
  it('include a final one with the outcome and its evidence', () => {
    const conclusion = refused('en', { evidence: 'event', platform: { statusCode: 400 } });
    expect(finalResult(SUBJECT, conclusion, { time, attempts: 2, operationIds: ['op-1'] })).toMatchObject({
      outcome: 'refused',
      final: true,
      finishedAt: time,
      receivedAt: SUBJECT.receivedAt,
      reason: { code: 'PLATFORM_REFUSED' },
      platform: { statusCode: 400 },
      attempts: 2,
      operationIds: ['op-1'],
    });
  });

  it('contain only the fields of a subject, whatever else the object has', () => {
    const open = { ...SUBJECT, attempts: 9, value: Buffer.from('x'), reason: 'x' };
    const result = finalResult(open, applied('event'), { time, attempts: 1, operationIds: [] });
    expect(result).toMatchObject({ attempts: 1, reason: null });
    expect(result).not.toHaveProperty('value');
  });

  it('name the obsolete result in a correction', () => {
    const figures = { time, attempts: 1, operationIds: [], corrects: 'r-1' };
    const result = correctionResult(SUBJECT, applied('event'), figures);
    expect(result).toMatchObject({ outcome: 'corrected', correctedOutcome: 'applied', corrects: 'r-1', final: true });
    expect(result.id).not.toBe(finalResult(SUBJECT, unconfirmed('en'), figures).id);
  });

  it('have a separate key for each further wait, and no number in the first', () => {
    const awaited = [{ kind: 'brand', externalReference: 'b' }] as const;
    const [first, second] = [1, 2].map((count) => waitingResult(SUBJECT, awaited, { time, attempts: 0, count }));
    expect(first).toMatchObject({ outcome: 'waiting', final: false, finishedAt: null, for: awaited });
    expect(second?.id).toBe(`${first?.id}:2`);
  });

  it('identify a conflict by the bytes of its record, and name the first result (rule 19)', () => {
    const about = { time, language: 'en', conflictsWith: 'r-1' } as const;
    const [one, other] = ['1', '2'].map((text) => conflictResult(SUBJECT, { ...about, value: Buffer.from(text) }));
    expect(one).toMatchObject({ outcome: 'invalid', reason: { code: 'DUPLICATE_COMMAND' }, conflictsWith: 'r-1' });
    expect(one?.reason).not.toHaveProperty('field');
    expect(one?.id).not.toBe(other?.id);
    const withMore = conflictResult(SUBJECT, { ...about, value: null, field: 'commandId', skus: [] });
    expect(withMore).toMatchObject({ reason: { field: 'commandId' }, skus: [], receivedAt: time });
  });

  it('give the first error of an invalid record as the reason, without the SKU', () => {
    const error = { code: 'NOT_JSON', message: 'x', field: 'f', skuExternalReference: 's' } as const;
    expect(invalid([error])).toMatchObject({ reason: { code: 'NOT_JSON', message: 'x', field: 'f' }, errors: [error] });
    expect(invalid([error]).reason).not.toHaveProperty('skuExternalReference');
    expect(() => invalid([])).toThrow('needs a reason');
  });
});
