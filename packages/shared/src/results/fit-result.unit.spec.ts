import { describe, expect, it } from '@jest/globals';
import { fitResult } from './fit-result.ts';
import { stringifyWithDigits } from '../json/json-digits.ts';
import { MAX_VALUE_BYTES } from '../limits.ts';
import type { FieldReason } from '../outcomes/reason-codes.ts';
import { type Result, type ResultParts, buildResult } from './result.ts';

const parts: ResultParts = {
  tenant: 'acme',
  inputTopic: 'erp.catalog.products.v1',
  commandId: 'r-1',
  command: 'upsert',
  entity: { kind: 'product', externalReference: '4711' },
  outcome: 'refused',
  reason: { code: 'PLATFORM_REFUSED', message: 'The platform refused the operation.' },
  time: '2026-11-20T13:15:02.114Z',
  receivedAt: '2026-11-20T13:15:00.000Z',
};

const LONG = 'ç"\u0001'.repeat(200_000);

const reasons = (count: number, text: string): FieldReason[] =>
  Array.from({ length: count }, () => ({ field: text, code: 'PLATFORM_REFUSED', message: text, hint: text }));

const skus = (count: number, errors: readonly FieldReason[]) =>
  Array.from({ length: count }, (_, n) => ({
    externalReference: `${n}${'"'.repeat(500)}`,
    outcome: 'refused' as const,
    errors,
  }));

const sizeOf = (result: Result) => Buffer.byteLength(stringifyWithDigits(result));

describe('a result that is too large for its topic', () => {
  it('is not changed if it fits', () => {
    const result = buildResult({ ...parts, data: { text: 'x'.repeat(800_000) }, errors: reasons(100, 'x') });
    expect(fitResult(result)).toBe(result);
  });

  it.each<[string, Partial<ResultParts>, string]>([
    ['what the platform said', { platform: { message: LONG, statusCode: 400, validationErrors: [LONG] } }, 'platform'],
    ['what was asked for', { data: [LONG] }, 'data'],
    ['errors of SKUs', { skus: skus(100, reasons(100, 'x'.repeat(100))) }, 'skus.errors'],
    ['errors', { errors: reasons(100, 'ç'.repeat(10_000)) }, 'errors'],
    ['warnings', { warnings: reasons(100, LONG.slice(0, 9_000)) }, 'warnings'],
    ['SKUs', { skus: skus(100_000, []) }, 'skus'],
    ['operations', { operationIds: Array.from({ length: 100_000 }, () => LONG.slice(0, 100)) }, 'operationIds'],
    [
      'references',
      {
        outcome: 'waiting',
        for: Array.from({ length: 100_000 }, () => ({ kind: 'sku' as const, externalReference: 'x'.repeat(99) })),
      },
      'for',
    ],
    ['the reason', { reason: { code: 'LIMIT', message: LONG, field: LONG, hint: LONG } }, 'reason'],
  ])('is shortened to fit, and marked: %s', (_what, large, field) => {
    const fitting = fitResult(buildResult({ ...parts, ...large }));
    expect(sizeOf(fitting)).toBeLessThanOrEqual(MAX_VALUE_BYTES);
    expect(fitting.warnings.at(-1)).toMatchObject({
      field,
      code: 'RESULT_CUT',
      message: expect.stringMatching(new RegExp(`tópico.*${field}.* / .*topic.*${field}`)),
    });
  });

  it('keeps the outcome, the reason, the ids, and the short parts of the platform’s error', () => {
    const platform = { statusCode: 400, message: LONG, title: 'Bad Request', validationErrors: [LONG] };
    const fitting = fitResult(buildResult({ ...parts, platform, operationIds: ['o-1'], attempts: 2 }));
    expect(fitting).toMatchObject({
      ...buildResult(parts),
      operationIds: ['o-1'],
      attempts: 2,
      warnings: [{}],
      platform: {},
    });
    expect(fitting.platform).toMatchObject({ statusCode: 400, title: 'Bad Request' });
  });

  it('fits even if everything is too large at once', () => {
    const all = {
      errors: reasons(101, LONG.slice(0, 9_000)),
      warnings: reasons(101, LONG.slice(0, 9_000)),
      skus: skus(20_000, reasons(3, 'x')),
    };
    const fitting = fitResult(buildResult({ ...parts, ...all, platform: [LONG], data: LONG }));
    expect(sizeOf(fitting)).toBeLessThanOrEqual(MAX_VALUE_BYTES);
    expect(fitting).toMatchObject({
      outcome: 'refused',
      data: null,
      warnings: expect.arrayContaining([expect.objectContaining({ code: 'RESULT_CUT' })]),
    });
  });
});
