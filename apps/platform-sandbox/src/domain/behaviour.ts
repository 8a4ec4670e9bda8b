import type { CategoryKey } from './catalog/category.ts';
import type { LooseEntity } from './catalog/loose-record.ts';
import type { PickingKeys } from './orders/picking-report.ts';

/** What the platform does where its document leaves it open; each with a switch of the admin API (NOT-SHOWN.md). */
export interface Behaviour {
  /** Which status PATCHes the core takes: all of a paid order, or only those of the document's table of transitions. */
  readonly transitions: 'lenient' | 'strict';
  /**
   * What the document's table takes from any status: also of an order that is not paid, cancelled, returned or
   * refunded, or not.
   */
  readonly unpaidOrOver: 'taken' | 'refused';
  /**
   * An unknown status name in a PATCH: accepted and refused by the core as `Order_StatusUpdateFailed`, or a 400 of the
   * call.
   */
  readonly unknownStatus: 'by-event' | 'by-400';
  /** An order whose invoice is registered and whose file is attached becomes 350 without a PATCH. */
  readonly invoicedByItself: boolean;
  /** Field of an order's payload that is not null once an invoice is registered; null: none is. */
  readonly registrationField: string | null;
  /** 750 and 800 of one cancellation under one operation id, or under two. */
  readonly cancelOperationIds: 'one' | 'two';
  /** Between 750 and 800. */
  readonly cancellationMs: number;
  /** A cancelled or returned order is refunded: 1100, then 1200. */
  readonly refundsByItself: boolean;

  /** Key of the status name in the body of a status PATCH; empty: the body is the name, as a JSON text. */
  readonly statusKey: string;
  /** Keys of the body that reports picked items, but for those that are shown. */
  readonly pickingKeys: PickingKeys;
  /** Key that the body of a cancellation must have, with a text; null: any body does. */
  readonly cancelReasonKey: string | null;
  /** Keys without which a category is rejected. */
  readonly requiredOfCategory: readonly CategoryKey[];
  /** Paths below `/v1/batch/` of the three routes of which only the names are shown. */
  readonly batchPaths: Readonly<Record<LooseEntity, string>>;
  /** What selects v2 of `webhook-payload`: `?version=2`, `x-api-version: 2`, or `/v2/` in the path. */
  readonly payloadVersion: 'query' | 'header' | 'path';

  /** Answer of `GET …/status`: `{ status }`, `{ code }`, `{ data: { status } }`, the bare number, or the bare name. */
  readonly statusAnswer: 'status' | 'code' | 'data' | 'number' | 'name';
  /** Answer of `GET /v1/Storages/invoice`: an object with the file's URL, the bare URL, a list of it, or the file. */
  readonly invoiceAnswer: 'url' | 'text' | 'list' | 'file';
  /** Answers of asynchronous calls whose body is not shown: `{ operationId }`, or no body. */
  readonly answersNotShown: 'operationId' | 'empty';

  /** Body of an error: `{ error: { code, message } }`, problem details, or the message as plain text. */
  readonly errorBody: 'object' | 'problem' | 'text';

  /** `Authorization` of a delivery: the token as it was registered, or with its scheme in front. */
  readonly authorization: 'as-sent' | 'with-scheme';
  /**
   * Whether brands, categories, prices, warehouses and stock that entered are told, as `<Entity>_Created` and
   * `<Entity>_Updated`.
   */
  readonly successEvents: 'none' | 'told';
}

export const DEFAULT_BEHAVIOUR: Behaviour = {
  transitions: 'lenient',
  unpaidOrOver: 'taken',
  unknownStatus: 'by-event',
  invoicedByItself: true,
  registrationField: 'orderInvoiced',
  cancelOperationIds: 'one',
  cancellationMs: 0,
  refundsByItself: false,
  statusKey: 'status',
  pickingKeys: { items: 'items', quantity: 'quantity', price: 'price', total: 'total' },
  cancelReasonKey: null,
  requiredOfCategory: ['externalReference', 'name'],
  batchPaths: { SKUPricing: 'Pricing', Warehouse: 'Warehouses', WarehouseSKU: 'Warehouses/sku' },
  payloadVersion: 'query',
  statusAnswer: 'status',
  invoiceAnswer: 'url',
  answersNotShown: 'operationId',
  errorBody: 'object',
  authorization: 'as-sent',
  successEvents: 'none',
};
