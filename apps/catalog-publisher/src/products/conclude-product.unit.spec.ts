import { describe, expect, it } from '@jest/globals';
import {
  fullProduct,
  fullSku,
  partialReport,
  rejectedReport,
  successReport,
} from '../../test/support/product-samples.ts';
import { readProductReport } from '../notifications/product-report.ts';
import { concludeByReadBack, concludeByReport } from './conclude-product.ts';

const body = fullProduct({ skus: [fullSku(), fullSku({ externalReference: '4711-2', ean: '7891000053508' })] });
const conclude = (report: unknown) => settle(report).conclusion;
const settle = (report: unknown, asked = body) =>
  concludeByReport(asked, readProductReport(Buffer.from(JSON.stringify(report)))!, 'pt-BR');

describe('the end of a record by a report', () => {
  it('is applied where the product was processed and no SKU failed (rule 26)', () => {
    const { conclusion: end, effect } = settle(successReport('4711', ['4711-1', '4711-2']));
    expect(end).toMatchObject({ outcome: 'applied', evidence: 'event', errors: [] });
    expect(end.skus.map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
    expect(effect).toEqual({ kind: 'entered', body, skus: new Set(['4711-1', '4711-2']) });
  });

  it('is refused whole where the product was rejected, although it counts no failed SKU (rule 26)', () => {
    const { conclusion: end, effect } = settle(rejectedReport('Title'));
    expect(effect).toEqual({ kind: 'none' });
    expect(end).toMatchObject({
      outcome: 'refused',
      evidence: 'event',
      reason: { code: 'PLATFORM_REFUSED' },
    });
    expect(end.skus.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    expect(end.errors).toMatchObject([{ field: 'title', code: 'PLATFORM_REFUSED', hint: 'must be unique' }]);
  });

  it('reports a rejected slug as taken, since its limits were checked before it was sent', () => {
    expect(conclude(rejectedReport()).errors).toMatchObject([{ field: 'slug', code: 'SLUG_TAKEN' }]);
  });

  it('is refused by SKU and property in the ERP’s names where a SKU failed, and knows what entered (rule 26)', () => {
    const { conclusion: end, effect } = settle(partialReport());
    expect(end).toMatchObject({ outcome: 'refused', reason: { code: 'PLATFORM_REFUSED' } });
    expect(end.skus).toMatchObject([
      { externalReference: '4711-1', outcome: 'applied', errors: [] },
      { externalReference: '4711-2', outcome: 'refused', errors: [{ skuExternalReference: '4711-2', field: 'ean' }] },
    ]);
    expect(effect).toEqual({ kind: 'entered', body, skus: new Set(['4711-1']) });
  });

  it('keeps the platform’s error object', () => {
    expect(conclude(rejectedReport()).platform).toMatchObject({ statusCode: 400 });
  });

  it('is applied if the product read back has every value of the record (rule 27)', () => {
    const { conclusion, effect } = concludeByReadBack(body);
    expect(conclusion).toMatchObject({ outcome: 'applied', evidence: 'read-back' });
    expect(effect).toMatchObject({ kind: 'entered', skus: new Set(['4711-1', '4711-2']) });
  });

  it('refuses a SKU that is not named where more failed than are named (rule 26)', () => {
    const report = successReport('4711', ['4711-1']);
    const { conclusion } = settle({ ...report, skus: { ...report.skus, total: 2, failed: 1 } });
    expect(conclusion.outcome).toBe('refused');
    expect(conclusion.skus.map(({ outcome }) => outcome)).toEqual(['applied', 'refused']);
    expect(settle(report).conclusion.outcome).toBe('applied');
  });

  it('carries as much of the platform’s error as fits into a record', () => {
    const report = rejectedReport();
    const error = { ...report.product.error, message: 'x'.repeat(100_000), traceId: 't-1', extra: { deep: true } };
    const { platform } = conclude({ ...report, product: { ...report.product, error } });
    expect(platform).toEqual({ statusCode: 400, message: 'x'.repeat(1_000), traceId: 't-1' });
  });
});
