import { describe, expect, it } from '@jest/globals';
import { fullProduct, fullSku, partialReport, rejectedReport, successReport } from '../testing/products.ts';
import { NOTHING_APPLIED } from './applied-product.ts';
import { readProductReport } from './product-report.ts';
import { settleByReadBack, settleByReport } from './settle-report.ts';

const body = fullProduct({ skus: [fullSku(), fullSku({ externalReference: '4711-2', ean: '7891000053508' })] });
const settle = (report: unknown, asked = body) =>
  settleByReport(asked, readProductReport(Buffer.from(JSON.stringify(report)))!, NOTHING_APPLIED, 'pt-BR');

describe('the end of a record by a report', () => {
  it('is applied where the product was processed and no SKU failed (rule 26)', () => {
    const end = settle(successReport('4711', ['4711-1', '4711-2']));
    expect(end).toMatchObject({ outcome: 'applied', evidence: 'event', errors: [] });
    expect(end.skus.map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
    expect(Object.keys(end.appliedProduct!.skus)).toEqual(['4711-1', '4711-2']);
  });

  it('is refused whole where the product was rejected, although it counts no failed SKU (rule 26)', () => {
    const end = settle(rejectedReport('Title'));
    expect(end).toMatchObject({
      outcome: 'refused',
      evidence: 'event',
      reason: { code: 'PLATFORM_REFUSED' },
      appliedProduct: null,
    });
    expect(end.skus.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    expect(end.errors).toMatchObject([{ field: 'title', code: 'PLATFORM_REFUSED', hint: 'must be unique' }]);
  });

  it('tells a rejected slug as taken, since its limits were checked before it was sent', () => {
    expect(settle(rejectedReport()).errors).toMatchObject([{ field: 'slug', code: 'SLUG_TAKEN' }]);
  });

  it('is refused by SKU and property in the ERP’s names where a SKU failed, and knows what entered (rule 26)', () => {
    const end = settle(partialReport());
    expect(end).toMatchObject({ outcome: 'refused', reason: { code: 'PLATFORM_REFUSED' } });
    expect(end.skus).toMatchObject([
      { externalReference: '4711-1', outcome: 'applied', errors: [] },
      { externalReference: '4711-2', outcome: 'refused', errors: [{ skuExternalReference: '4711-2', field: 'ean' }] },
    ]);
    expect(Object.keys(end.appliedProduct!.skus)).toEqual(['4711-1']);
  });

  it('keeps the platform’s error object', () => {
    expect(settle(rejectedReport()).platform).toMatchObject({ statusCode: 400 });
  });

  it('is applied by reading back for all that was asked (rule 27)', () => {
    expect(settleByReadBack(body, NOTHING_APPLIED)).toMatchObject({ outcome: 'applied', evidence: 'read-back' });
  });
});
