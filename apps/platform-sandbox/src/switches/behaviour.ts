import { z } from 'zod';
import { CATEGORY_KEYS } from '../catalog/category.ts';

const batchPath = z.string().regex(/^[\w-]+(\/[\w-]+)*$/, 'must be a path below /v1/batch/, without a slash in front');
const key = z.string().min(1).max(100);
const keys = z.array(key);

/** Values of a switch, and its default. */
function oneOf<S extends z.ZodType>(schema: S, normally: z.output<S>) {
  return { schema, normally };
}

/** Behaviour that the platform's document leaves open; each has a switch of the admin API (NOT-SHOWN.md). */
const SWITCHES = {
  /**
   * Status PATCHes that the core accepts: all for a paid order, or only those of the document's table of
   * transitions.
   */
  transitions: oneOf(z.enum(['lenient', 'strict']), 'lenient'),
  /**
   * Changes that the document's table allows from any status: accepted or refused for an order that is not paid, or
   * that is cancelled, returned or refunded.
   */
  unpaidOrOver: oneOf(z.enum(['taken', 'refused']), 'taken'),
  /**
   * An unknown status name in a PATCH: accepted and refused by the core as `Order_StatusUpdateFailed`, or a 400 of the
   * call.
   */
  unknownStatus: oneOf(z.enum(['by-event', 'by-400']), 'by-event'),
  /** An order whose invoice is registered and whose file is attached becomes 350 without a PATCH. */
  invoicedByItself: oneOf(z.boolean(), true),
  /** Field of an order's payload that is not null once an invoice is registered; null: none is. */
  registrationField: oneOf(key.nullable(), 'orderInvoiced'),
  /** Digits after the cents of a total that the core calculates, such as `5`: 12.45 becomes 12.455. */
  fractionOfCent: oneOf(z.string().regex(/^[0-9]{0,4}$/, 'must be at most four digits'), ''),
  /** 750 and 800 of one cancellation under one operation id, or under two. */
  cancelOperationIds: oneOf(z.enum(['one', 'two']), 'one'),
  /** Milliseconds between 750 and 800. */
  cancellationMs: oneOf(z.int().min(0).max(600_000), 0),
  /** A cancelled or returned order is refunded: 1100, then 1200. */
  refundsByItself: oneOf(z.boolean(), false),

  /** Key of the status name in the body of a status PATCH; empty: the body is the name, as a JSON text. */
  statusKey: oneOf(z.string().max(100), 'status'),
  /** Keys of the body that reports picked items, except those that the document shows. */
  pickingKeys: oneOf(z.strictObject({ items: key, quantity: key, price: key, total: key }), {
    items: 'items',
    quantity: 'quantity',
    price: 'price',
    total: 'total',
  }),
  /** Key with a text that the body of a cancellation must have; null: any body is accepted. */
  cancelReasonKey: oneOf(key.nullable(), null),
  /** Keys without which a category is rejected. */
  requiredOfCategory: oneOf(
    z
      .array(z.enum(CATEGORY_KEYS))
      .refine((keys) => keys.includes('externalReference'), 'must hold externalReference, which is the key'),
    ['externalReference', 'name'],
  ),
  /** Keys without which a price, a warehouse or stock is rejected. */
  requiredOfRecord: oneOf(z.strictObject({ SKUPricing: keys, Warehouse: keys, WarehouseSKU: keys }), {
    SKUPricing: [],
    Warehouse: [],
    WarehouseSKU: [],
  }),
  /** Paths below `/v1/batch/` of the three routes whose paths the document does not show. */
  batchPaths: oneOf(z.strictObject({ SKUPricing: batchPath, Warehouse: batchPath, WarehouseSKU: batchPath }), {
    SKUPricing: 'Pricing',
    Warehouse: 'Warehouses',
    WarehouseSKU: 'Warehouses/sku',
  }),
  /**
   * Field of the linking form that names files of the SFTP drop. With null, or in a form without this field, the
   * files with the SKU's standardized names are linked.
   */
  linkingKey: oneOf(key.nullable(), 'fileNames'),
  /** Pattern of standardized image names in the SFTP drop, without their extension. */
  placedNames: oneOf(
    z.string().regex(/\{sku\}.*\{order\}|\{order\}.*\{sku\}/, 'must hold {sku} and {order}'),
    '{sku}_{order}',
  ),
  /** Selector of v2 of `webhook-payload`: `?version=2`, `x-api-version: 2`, or `/v2/` in the path. */
  payloadVersion: oneOf(z.enum(['query', 'header', 'path']), 'query'),

  /** Answer of `GET …/status`: `{ status }`, `{ code }`, `{ data: { status } }`, the bare number, or the bare name. */
  statusAnswer: oneOf(z.enum(['status', 'code', 'data', 'number', 'name']), 'status'),
  /** Answer of `GET /v1/Storages/invoice`: an object with the file's URL, the bare URL, a list of it, or the file. */
  invoiceAnswer: oneOf(z.enum(['url', 'text', 'list', 'file']), 'url'),
  /** Answers of asynchronous calls whose body the document does not show: `{ operationId }`, or no body. */
  answersNotShown: oneOf(z.enum(['operationId', 'empty']), 'operationId'),

  /** Body of an error: `{ error: { code, message } }`, problem details, or the message as plain text. */
  errorBody: oneOf(z.enum(['object', 'problem', 'text']), 'object'),

  /** `Authorization` of a delivery: the token as registered, or with its scheme in front. */
  authorization: oneOf(z.enum(['as-sent', 'with-scheme']), 'as-sent'),
  /**
   * Notification of stored brands, categories, prices, warehouses and stock as `<Entity>_Created` and
   * `<Entity>_Updated`.
   */
  successEvents: oneOf(z.enum(['none', 'notified']), 'none'),
};

type Switches = typeof SWITCHES;

export type Behaviour = { readonly [Name in keyof Switches]: z.output<Switches[Name]['schema']> };

export const DEFAULT_BEHAVIOUR = Object.fromEntries(
  Object.entries(SWITCHES).map(([name, { normally }]) => [name, normally]),
) as Behaviour;

/** Switches of an admin API request: absent switches stay. */
export const SwitchesBody = z.strictObject(
  Object.fromEntries(Object.entries(SWITCHES).map(([name, { schema }]) => [name, z.exactOptional(schema)])),
);
