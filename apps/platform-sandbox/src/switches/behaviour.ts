import { z } from 'zod';
import { didYouMean } from '../values/near-word.ts';

const CATEGORY_KEYS = [
  'externalReference',
  'name',
  'title',
  'description',
  'isCategoryDepartmentToo',
  'showInStoreFront',
  'activeStoreFrontLink',
  'position',
] as const;

const batchPath = z.string().regex(/^[\w-]+(\/[\w-]+)*$/, 'must be a path below /v1/batch/, without a slash in front');
const key = z.string().min(1).max(100);
const keys = z.array(key);

/** Meaning and values of a switch, and its default. */
function oneOf<S extends z.ZodType>(meaning: string, schema: S, normally: z.output<S>) {
  return { meaning, schema: schema.describe(meaning), normally };
}

/** Behaviour that the platform's document leaves open; each has a switch of the admin API (NOT-SHOWN.md). */
const SWITCHES = {
  transitions: oneOf(
    "Status PATCHes that the core accepts: all for a paid order, or only those of the document's table of transitions.",
    z.enum(['lenient', 'strict']),
    'lenient',
  ),
  unpaidOrOver: oneOf(
    "Changes that the document's table allows from any status: accepted or refused for an order that is not paid, or that is cancelled, returned or refunded.",
    z.enum(['taken', 'refused']),
    'taken',
  ),
  unknownStatus: oneOf(
    'An unknown status name in a PATCH: accepted and refused by the core as `Order_StatusUpdateFailed`, or a 400 of the call.',
    z.enum(['by-event', 'by-400']),
    'by-event',
  ),
  invoicedByItself: oneOf(
    'An order whose invoice is registered and whose file is attached becomes 350 without a PATCH.',
    z.boolean(),
    true,
  ),
  secondInvoice: oneOf(
    'Another invoice of an order that has one: refused by `Operation_Failed` 409, or registered in its place.',
    z.enum(['refused', 'replaces']),
    'refused',
  ),
  registrationField: oneOf(
    "Field of an order's payload that is not null once an invoice is registered; null: none is.",
    key.nullable(),
    'orderInvoiced',
  ),
  fractionOfCent: oneOf(
    'Digits after the cents of a total that the core calculates, such as `5`: 12.45 becomes 12.455.',
    z.string().regex(/^[0-9]{0,4}$/, 'must be at most four digits'),
    '',
  ),
  cancelOperationIds: oneOf(
    '750 and 800 of one cancellation under one operation id, or under two.',
    z.enum(['one', 'two']),
    'one',
  ),
  cancellationMs: oneOf('Milliseconds between 750 and 800.', z.int().min(0).max(600_000), 0),
  refundsByItself: oneOf('A cancelled or returned order is refunded: 1100, then 1200.', z.boolean(), false),

  statusKey: oneOf(
    'Key of the status name in the body of a status PATCH; empty: the body is the name, as a JSON text.',
    z.string().max(100),
    'status',
  ),
  pickingKeys: oneOf(
    "Keys of the body that reports picked items, except those that the document shows. With `line`, an item may name the order's line by its place, from 1.",
    z.strictObject({ items: key, quantity: key, price: key, total: key, line: key.nullable().default(null) }),
    {
      items: 'items',
      quantity: 'quantity',
      price: 'price',
      total: 'total',
      line: null,
    },
  ),
  cancelReasonKey: oneOf(
    'Key with a text that the body of a cancellation must have; null: any body is accepted.',
    key.nullable(),
    null,
  ),
  requiredOfCategory: oneOf(
    'Keys without which a category is rejected.',
    z
      .array(z.enum(CATEGORY_KEYS))
      .refine((keys) => keys.includes('externalReference'), 'must hold externalReference, which is the key'),
    ['externalReference', 'name'],
  ),
  requiredOfRecord: oneOf(
    'Keys without which a price, a warehouse or stock is rejected.',
    z.strictObject({ SKUPricing: keys, Warehouse: keys, WarehouseSKU: keys }),
    {
      SKUPricing: [],
      Warehouse: [],
      WarehouseSKU: [],
    },
  ),
  batchPaths: oneOf(
    'Paths below `/v1/batch/` of the three routes whose paths the document does not show.',
    z.strictObject({ SKUPricing: batchPath, Warehouse: batchPath, WarehouseSKU: batchPath }),
    {
      SKUPricing: 'Pricing',
      Warehouse: 'Warehouses',
      WarehouseSKU: 'Warehouses/sku',
    },
  ),
  linkingKey: oneOf(
    "Field of the linking form that names files of the SFTP drop. With null, or in a form without this field, the files with the SKU's standardized names are linked.",
    key.nullable(),
    'fileNames',
  ),
  placedNames: oneOf(
    'Pattern of standardized image names in the SFTP drop, without their extension.',
    z.string().regex(/\{sku\}.*\{order\}|\{order\}.*\{sku\}/, 'must hold {sku} and {order}'),
    '{sku}_{order}',
  ),
  payloadVersion: oneOf(
    'Selector of v2 of `webhook-payload`: `?version=2`, `x-api-version: 2`, or `/v2/` in the path.',
    z.enum(['query', 'header', 'path']),
    'query',
  ),

  statusAnswer: oneOf(
    'Answer of `GET …/status`: `{ status }`, `{ code }`, `{ data: { status } }`, the bare number, or the bare name.',
    z.enum(['status', 'code', 'data', 'number', 'name']),
    'status',
  ),
  invoiceAnswer: oneOf(
    "Answer of `GET /v1/Storages/invoice`: an object with the file's URL, the bare URL, a list of it, or the file.",
    z.enum(['url', 'text', 'list', 'file']),
    'url',
  ),
  answersNotShown: oneOf(
    'Answers of asynchronous calls whose body the document does not show: `{ operationId }`, or no body.',
    z.enum(['operationId', 'empty']),
    'operationId',
  ),

  errorBody: oneOf(
    'Body of an error: `{ error: { code, message } }`, problem details, or the message as plain text.',
    z.enum(['object', 'problem', 'text']),
    'object',
  ),

  authorization: oneOf(
    '`Authorization` of a delivery: the token as registered, or with its scheme in front.',
    z.enum(['as-sent', 'with-scheme']),
    'as-sent',
  ),
  successEvents: oneOf(
    'Notification of stored brands, categories, prices, warehouses and stock as `<Entity>_Created` and `<Entity>_Updated`.',
    z.enum(['none', 'notified']),
    'none',
  ),
};

type Switches = typeof SWITCHES;

export type Behaviour = { readonly [Name in keyof Switches]: z.output<Switches[Name]['schema']> };

export const DEFAULT_BEHAVIOUR = Object.fromEntries(
  Object.entries(SWITCHES).map(([name, { normally }]) => [name, normally]),
) as Behaviour;

const SWITCH_NAMES = Object.keys(SWITCHES);

/** Meanings and values, for people. */
export function switchKinds() {
  return Object.entries(SWITCHES).map(([name, { meaning, schema, normally }]) => {
    const { $schema: _dialect, description: _meaning, ...values } = z.toJSONSchema(schema, { io: 'input' });
    return { name, meaning, default: normally, schema: values };
  });
}

/** Switches of an admin API request: absent switches stay. */
export const SwitchesBody = z.strictObject(
  Object.fromEntries(Object.entries(SWITCHES).map(([name, { schema }]) => [name, z.exactOptional(schema)])),
  {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' && Array.isArray(keys)
        ? keys.map((key) => `unknown switch \`${key}\`${didYouMean(key, SWITCH_NAMES)}`).join('; ')
        : undefined,
  },
);
