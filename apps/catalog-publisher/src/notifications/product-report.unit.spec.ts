import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { partialReport, rejectedReport, successReport } from '../../test/support/product-samples.ts';
import { readProductReport } from './product-report.ts';

const read = (value: unknown) => readProductReport(Buffer.from(JSON.stringify(value)));

describe('a product report', () => {
  it('adds up where counts, lists and summary agree (rule 26)', () => {
    for (const report of [successReport(), rejectedReport(), partialReport()]) expect(read(report)?.addsUp).toBe(true);
  });

  it.each([
    ['a count that differs from its list', { ...successReport(), skus: { ...successReport().skus, successful: 2 } }],
    ['a total that is not the sum', { ...successReport(), skus: { ...successReport().skus, total: 2 } }],
    ['a summary of success over a failed SKU', { ...partialReport(), summary: successReport().summary }],
    ['a rejected product with SKUs that entered', { ...rejectedReport(), skus: successReport().skus }],
    ['no summary', { ...successReport(), summary: null }],
  ])('that has %s is an anomaly (rule 26)', (_what, report) => {
    expect(read(report)?.addsUp).toBe(false);
  });

  it('is absent unless it names a product and whether that was processed', () => {
    expect(read({ ...successReport(), product: { externalReference: '4711' } })).toBeNull();
    expect(read([])).toBeNull();
    expect(readProductReport(Buffer.from('{'))).toBeNull();
  });

  it('is read or not, whatever the bytes, without throwing', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const nested = Buffer.from(`{"product":${text},"skus":${text},"summary":${text}}`);
        expect(() => readProductReport(nested)).not.toThrow();
      }),
    );
  });
});
