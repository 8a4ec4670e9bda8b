import type { LooseEntity } from './catalog/loose-record.ts';

/** What the platform does by itself where its document leaves it open; each with a switch of the admin API (NOT-SHOWN.md). */
export interface Behaviour {
  /** An order whose invoice is registered and whose file is attached becomes 350 without a PATCH. */
  readonly invoicedByItself: boolean;
  /** Answer of `GET /v1/Storages/invoice`: an object with the file's URL, or the file. */
  readonly invoiceAnswer: 'url' | 'file';
  /** 750 and 800 of one cancellation under one operation id, or under two. */
  readonly cancelOperationIds: 'one' | 'two';
  /** Between 750 and 800. */
  readonly cancellationMs: number;
  /** A cancelled or returned order is refunded: 1100, then 1200. */
  readonly refundsByItself: boolean;
  /** `Authorization` of a delivery: the token as it was registered, or with its scheme in front. */
  readonly authorization: 'as-sent' | 'with-scheme';
  /** Whether brands, categories, prices, warehouses and stock that entered are told, as `<Entity>_Created` and `<Entity>_Updated`. */
  readonly successEvents: 'none' | 'told';
  /** Paths below `/v1/batch/` of the three routes of which only the names are shown. */
  readonly batchPaths: Readonly<Record<LooseEntity, string>>;
}

export const DEFAULT_BEHAVIOUR: Behaviour = {
  invoicedByItself: true,
  invoiceAnswer: 'url',
  cancelOperationIds: 'one',
  cancellationMs: 0,
  refundsByItself: false,
  authorization: 'as-sent',
  successEvents: 'none',
  batchPaths: { SKUPricing: 'Pricing', Warehouse: 'Warehouses', WarehouseSKU: 'Warehouses/sku' },
};
