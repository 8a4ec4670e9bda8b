import {
  isPlainRecord,
  type JsonRecord,
  type JsonValue,
  parseRecord,
  recordOrNull,
} from '@gondola/shared/json/json-digits';

/**
 * The platform's report of one product and its SKUs (docs/platform.md, "Catalog report"). Fields win over event names
 * (rule 26).
 */
export interface ProductReport {
  /** False if the platform refused the product and tried none of its SKUs. */
  readonly processed: boolean;
  readonly productError: JsonRecord | null;
  readonly successfulSkus: readonly string[];
  readonly failedSkus: readonly { readonly externalReference: string; readonly error: JsonRecord | null }[];
  /** True if more SKUs failed, by count, than the report names. */
  readonly hasUnnamedFailures: boolean;
  /** True if counts, lists and summary agree; else the report is logged as an anomaly. */
  readonly addsUp: boolean;
}

/** A stored report about one product. */
export interface StoredReport {
  /** Rises with the order of storing. */
  readonly id: string;
  readonly operationId: string;
  readonly report: ProductReport;
}

/** Reads the report from the bytes of a notification's `data`; null if they hold none. */
export function readProductReport(data: Uint8Array): ProductReport | null {
  const value = parseRecord(data);
  if (value === null || !isPlainRecord(value['product'])) return null;
  const { processed, error } = value['product'];
  if (typeof processed !== 'boolean') return null;
  const skus = isPlainRecord(value['skus']) ? value['skus'] : {};
  const successfulSkus = listOf(skus['successfulSKUs']).filter((entry) => typeof entry === 'string');
  const failedSkus = listOf(skus['failedSKUs']).flatMap((entry) => {
    if (!isPlainRecord(entry) || typeof entry['externalReference'] !== 'string') return [];
    return [{ externalReference: entry['externalReference'], error: recordOrNull(entry['error']) }];
  });
  const lists = { processed, successful: successfulSkus.length, failed: failedSkus.length };
  return {
    processed,
    productError: recordOrNull(error),
    successfulSkus,
    failedSkus,
    hasUnnamedFailures: typeof skus['failed'] === 'number' && skus['failed'] > failedSkus.length,
    addsUp: addsUp(lists, skus, value['summary']),
  };
}

interface Lists {
  readonly processed: boolean;
  readonly successful: number;
  readonly failed: number;
}

function addsUp({ processed, successful, failed }: Lists, counts: JsonRecord, summary: JsonValue | undefined): boolean {
  if (counts['successful'] !== successful || counts['failed'] !== failed) return false;
  if (processed ? counts['total'] !== successful + failed : successful + failed > 0) return false;
  const status = isPlainRecord(summary) ? summary['status'] : undefined;
  if (!processed) return status === 'Failed';
  // The document does not name the summary of an accepted product whose SKUs all failed.
  return failed === 0 ? status === 'Success' : status === 'PartialFailure' || (successful === 0 && status === 'Failed');
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
