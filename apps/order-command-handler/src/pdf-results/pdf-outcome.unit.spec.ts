import { describe, expect, it } from '@jest/globals';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { readResult } from '@gondola/shared/results/read-result';
import { pdfCheck, pdfOutcome } from './pdf-outcome.ts';

const check = (more: JsonRecord) => readResult({ command: 'CheckInvoicePdf', evidence: 'none', ...more })!;
const upload = (more: JsonRecord) => readResult({ command: 'UploadInvoicePdf', evidence: 'read-back', ...more })!;
const expiresAt = '2026-11-20T15:00:00.000Z';

describe('what the file gateway said of a PDF', () => {
  it('is known by its command: the check is no upload', () => {
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

  it('is the first outcome of the upload, until a correction comes', () => {
    const first = [upload({ outcome: 'waiting' }), upload({ outcome: 'refused' }), upload({ outcome: 'applied' })];
    expect(pdfOutcome(first)).toMatchObject({ outcome: 'refused' });
    const corrected = upload({ outcome: 'corrected', correctedOutcome: 'applied' });
    expect(pdfOutcome([...first, corrected])).toMatchObject({ outcome: 'applied' });
  });
});
