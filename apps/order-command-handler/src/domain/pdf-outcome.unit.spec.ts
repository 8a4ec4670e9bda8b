import { describe, expect, it } from '@jest/globals';
import { pdfCheck, pdfOutcome } from './pdf-outcome.ts';

const check = (more: object) => ({ command: 'CheckInvoicePdf', evidence: 'none', reason: null, ...more });
const upload = (more: object) => ({ command: 'UploadInvoicePdf', evidence: 'read-back', reason: null, ...more });
const expiresAt = '2026-11-20T15:00:00.000Z';

describe('what the file gateway said of a PDF', () => {
  it('is told apart by its command: the check is no upload', () => {
    const results = [check({ outcome: 'applied', data: { expiresAt } }), upload({ outcome: 'applied', attempts: 2 })];
    expect(pdfCheck(results)).toEqual({ kind: 'good', untilMs: Date.parse(expiresAt) });
    expect(pdfOutcome(results)).toMatchObject({ outcome: 'applied', attempts: 2 });
    expect(pdfOutcome(results.slice(0, 1))).toBeNull();
    expect(pdfCheck(results.slice(1))).toBeNull();
  });

  it("is bad with its reason, in the ERP's field, and unknown to an older file gateway (rule 33)", () => {
    const reason = { code: 'UPLOAD_UNKNOWN', message: 'O conteúdo enviado não existe.', field: 'content.uploadId' };
    expect(pdfCheck([check({ outcome: 'invalid', reason })])).toEqual({
      kind: 'bad',
      reason: { ...reason, field: 'pdf' },
    });
    const unknown = { ...reason, code: 'COMMAND_UNKNOWN' };
    expect(pdfCheck([check({ outcome: 'invalid', reason: unknown })])).toEqual({ kind: 'not-checked' });
  });
});
