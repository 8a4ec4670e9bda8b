import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { ProductProgress } from '../../src/products/product-progress.ts';
import type { RecordAttempt } from '../../src/records/record-attempts.ts';
import type { TenantCatalog } from '../../src/records/record-plan.ts';

export const POLICY = '22222222-2222-4222-8222-222222222222';

/** A tenant whose file says nothing. */
export const BARE_CATALOG: TenantCatalog = { units: {}, defaults: {}, commercialPolicies: {}, allowedExtraKeys: [] };

/** A SKU with all that the platform requires. */
export function fullSku(more: JsonRecord = {}): JsonRecord {
  return {
    externalReference: '4711-1',
    name: 'Queijo Minas Frescal',
    ean: '7891000100103',
    reference: '4711-1',
    unitOfMeasurement: 'Kg',
    weightForFreight: 1,
    heightForFreight: 10,
    widthForFreight: 10,
    lengthForFreight: 10,
    weightReal: 1,
    heightReal: 10,
    widthReal: 10,
    lengthReal: 10,
    arrivalDate: '2026-01-01',
    manufacturerCode: 'QMF',
    arithmeticFactor: '0.1',
    ...more,
  };
}

/** A product with all that the platform requires. */
export function fullProduct(more: JsonRecord = {}): JsonRecord {
  return {
    externalReference: '4711',
    commercialPolicyId: POLICY,
    name: 'Queijo Minas Frescal',
    slug: 'queijo-minas-frescal',
    title: 'Queijo Minas Frescal',
    shortDescription: 'Frescal',
    longDescription: 'Queijo minas frescal, peça',
    punctuation: 10,
    skus: [fullSku()],
    ...more,
  };
}

/** `data` of a notification in which everything entered. */
export function successReport(reference = '4711', skus: readonly string[] = ['4711-1']) {
  return {
    product: { externalReference: reference, name: 'Queijo Minas Frescal', processed: true, error: null },
    skus: { total: skus.length, successful: skus.length, failed: 0, successfulSKUs: skus, failedSKUs: [] },
    summary: { status: 'Success', processedAt: '2026-11-20T13:15:02.114Z' },
  };
}

/** `data` of a notification of a rejected product: none of its SKUs was tried, and `failed` is 0. */
export function rejectedReport(key = 'Slug', reference = '4711', total = 1) {
  const validationErrors = [{ id: 1, key, validation: 'must be unique' }];
  return {
    product: {
      externalReference: reference,
      name: 'Queijo Minas Frescal',
      processed: false,
      error: { statusCode: 400, message: '{}', validationErrors },
    },
    skus: { total, successful: 0, failed: 0, successfulSKUs: [], failedSKUs: [] },
    summary: { status: 'Failed', processedAt: '2026-11-20T13:15:02.114Z' },
  };
}

/** `data` of a notification of a product that entered, one of whose SKUs did not. */
export function partialReport(reference = '4711', entered = '4711-1', failed = '4711-2') {
  const validationErrors = [{ id: 7, key: 'EAN', validation: 'already in use' }];
  return {
    product: { externalReference: reference, name: 'Queijo Minas Frescal', processed: true, error: null },
    skus: {
      total: 2,
      successful: 1,
      failed: 1,
      successfulSKUs: [entered],
      failedSKUs: [{ externalReference: failed, error: { statusCode: 400, message: '{}', validationErrors } }],
    },
    summary: { status: 'PartialFailure', processedAt: '2026-11-20T13:15:02.114Z' },
  };
}

/** A record that was posted so often, each attempt with this answer. */
export function progressOf(
  answers: readonly RecordAttempt['answer'][],
  more: Partial<ProductProgress> = {},
): ProductProgress {
  return {
    body: fullProduct(),
    warnings: [],
    sourceVersion: null,
    attempts: answers.map((answer) => ({ at: '2026-11-20T13:00:00.000Z', seenReportId: '0', shared: true, answer })),
    read: null,
    blocked: null,
    ...more,
  };
}
