import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseWithDigits } from '../json/json-digits.ts';
import { readResult } from './read-result.ts';
import { buildResult, type ResultParts } from './result.ts';

const PARTS: ResultParts = {
  tenant: 'acme',
  inputTopic: 'erp.files.commands.v1',
  commandId: 'c-88/pdf',
  parentCommandId: 'c-88',
  command: 'UploadInvoicePdf',
  entity: { kind: 'order', orderNumber: 100_234 },
  outcome: 'refused',
  time: '2026-11-20T13:15:02.114Z',
  receivedAt: '2026-11-20T13:15:00.000Z',
  evidence: 'event',
  reason: { code: 'PLATFORM_REFUSED', message: 'A plataforma recusou.', field: 'pdf', hint: 'x' },
  attempts: 2,
  platform: { statusCode: 422 },
  data: { expiresAt: '2026-11-20T15:00:00.000Z' },
};
const written = (more: Partial<ResultParts> = {}) =>
  readResult(parseWithDigits(JSON.stringify(buildResult({ ...PARTS, ...more }))));

describe('a published result', () => {
  it('reads back as built', () => {
    expect(written()).toEqual({
      id: 'acme:result:erp.files.commands.v1:c-88/pdf:refused',
      tenant: 'acme',
      command: 'UploadInvoicePdf',
      parentCommandId: 'c-88',
      outcome: 'refused',
      isCorrection: false,
      evidence: 'event',
      reason: PARTS.reason,
      data: PARTS.data,
      attempts: 2,
      platform: PARTS.platform,
    });
  });

  it('that corrects another one has the new outcome', () => {
    const corrected = written({ outcome: 'corrected', correctedOutcome: 'applied', corrects: 'r-1' });
    expect(corrected).toMatchObject({ outcome: 'applied', isCorrection: true });
  });

  it('that is not final has no outcome', () => {
    expect(written({ outcome: 'waiting' })).toMatchObject({ outcome: null, isCorrection: false });
    expect(readResult({ outcome: 'outcome of tomorrow' })).toMatchObject({ outcome: null });
  });

  it('is read without fields of a wrong type', () => {
    const nothing = { id: null, command: null, parentCommandId: null, reason: null, attempts: 0, evidence: 'none' };
    expect(readResult({})).toMatchObject({ ...nothing, tenant: null, data: null, platform: null });
    const wrong = fc.oneof(fc.constant(null), fc.constant(false), fc.constant(''), fc.constant(-1), fc.constant([]));
    fc.assert(
      fc.property(wrong, wrong, wrong, (one, two, three) => {
        const value = { id: one, command: two, parentCommandId: three, reason: one, attempts: two, evidence: three };
        expect(readResult(value)).toMatchObject(nothing);
      }),
    );
    expect(readResult({ reason: { code: 'CODE_OF_TOMORROW', message: 'm' } })).toMatchObject({ reason: null });
  });

  it.each([[undefined], [null], ['a'], [1], [[]]])('is not read from %j', (value) => {
    expect(readResult(value)).toBeNull();
  });
});
