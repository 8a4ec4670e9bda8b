import type { ErrorObject } from '../values/refusal.ts';
import type { CatalogEvent } from '../webhooks/event-names.ts';

/** Result of one SKU of a batch item. `error` is null if the SKU was stored. */
export interface SkuResult {
  readonly externalReference: string | null;
  readonly error: ErrorObject | null;
}

export interface ProductResult {
  readonly externalReference: string | null;
  readonly name: string | null;
  readonly existed: boolean;
  readonly error: ErrorObject | null;
  /** Number of SKUs in the item, tried or not. */
  readonly skuTotal: number;
  /** The SKUs that were tried: none if the product failed. */
  readonly tried: readonly SkuResult[];
}

/**
 * `data` of a `ProductWithSKUs` notification (docs/platform.md, "Catalog report"). `processedAt` is UTC with
 * milliseconds.
 */
export function productReport(result: ProductResult, processedAt: string) {
  const entered = result.tried.filter(({ error }) => error === null);
  const failedSKUs = result.tried.flatMap(({ externalReference, error }) =>
    error === null ? [] : [{ externalReference, error }],
  );
  return {
    product: {
      externalReference: result.externalReference,
      name: result.name,
      processed: result.error === null,
      error: result.error,
    },
    skus: {
      total: result.skuTotal,
      successful: entered.length,
      failed: failedSKUs.length,
      successfulSKUs: entered.map(({ externalReference }) => externalReference),
      failedSKUs,
    },
    summary: { status: summaryStatus(result, failedSKUs.length), processedAt },
  };
}

/** Event name of a result (docs/platform.md, "Catalog events"). */
export function productEvent(result: ProductResult): CatalogEvent {
  if (result.error !== null) {
    return result.existed ? 'ProductWithSKUs_UpdateFailed' : 'ProductWithSKUs_CreationFailed';
  }
  if (result.tried.some(({ error }) => error !== null)) return 'ProductWithSKUs_PartiallyFailed';
  return result.existed ? 'ProductWithSKUs_Updated' : 'ProductWithSKUs_Created';
}

function summaryStatus(result: ProductResult, failed: number): 'Success' | 'PartialFailure' | 'Failed' {
  if (result.error !== null) return 'Failed';
  return failed === 0 ? 'Success' : 'PartialFailure';
}
