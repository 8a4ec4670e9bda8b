import { z } from 'zod';

/** Placeholder in {@link WireProfile.webhookPayloadPath} for the percent-encoded order number. */
const ORDER_NUMBER_PLACEHOLDER = '{orderNumber}';

// Characters that a request line can contain unencoded; two slashes at the start would name another host.
const REQUEST_PATH = /^\/(?!\/)[\w\-.~!$&'()*+,;=:@%/?{}]*$/;
const EVENT_NAME = /^[A-Za-z]\w{0,99}$/;
const FIELD_NAME = /^\S{1,100}$/;
const DOTTED_PATH = /^[^.\s]+(\.[^.\s]+)*$/;
const DROP_FOLDER = /^(\/(?!\.{1,2}(\/|$))([\w.-]|\{contractFolder\}|\{contractAccountId\})+)+$/;
const DROP_FILE_NAME = /^(?=.*\{sku\})(?=.*\{order\})([\w.-]|\{(sku|order|sha256|extension)\})+$/;
// A digit or a placeholder beside the order could be read as part of it, and two images would have one name.
const DELIMITED_ORDER = /^([^{}]|\{(?!order\})\w+\})*(?<![\d}])\{order\}(?![\d{])([^{}]|\{(?!order\})\w+\})*$/;

const requestPath = z
  .string()
  .regex(REQUEST_PATH, 'caminho que começa com uma só barra / path that begins with one slash');

/** Keys with a template for the value of each. */
const filledFields = z.record(z.string().regex(FIELD_NAME, 'nome de campo / field name'), z.json());

/** Names of nested fields, from the outermost. */
const fieldPath = z.string().regex(DOTTED_PATH, 'nomes de campos separados por pontos / field names joined by dots');

/**
 * Facts that the platform's document calls "not shown", for the routes that Gondola calls. Only here does the code
 * assume anything about the wire format; a tenant overrides single keys in the tenants file. `docs/wire-profile.md`
 * lists every key with its default.
 *
 * docs/platform.md, "Catalog" (paths and payloads of Pricing and Warehouses), "Orders" (bodies of PATCH status, PUT
 * order and cancel, answer of GET status) and Files (answer of GET invoice, names and linking of SFTP); Versioning
 * 2 (selection of the v2 payload); Events, Subscription (event names of the other entities).
 */
export const wireProfileSchema = z.strictObject({
  patchStatusBody: template('<NAME>')
    .default({ status: '<NAME>' })
    .describe(
      'JSON body of `PATCH /v1/Orders/{orderNumber}/status`; every `<NAME>` inside a text becomes the name of the status. An override replaces the whole body.',
    ),
  orderStatusPaths: z
    .array(fieldPath)
    .default(['status', 'code', 'data.status'])
    .describe(
      'Paths of the status in the answer of `GET /v1/Orders/{orderNumber}/status` if it is an object; the first path with a status counts. A bare number or text is always read.',
    ),
  webhookPayloadPath: requestPath
    .refine((path) => path.includes(ORDER_NUMBER_PLACEHOLDER), `deve conter / must contain ${ORDER_NUMBER_PLACEHOLDER}`)
    .default(`/v1/Orders/${ORDER_NUMBER_PLACEHOLDER}/webhook-payload?version=2`)
    .describe(
      'Path and query that read the v2 form of the payload that a webhook would carry; `{orderNumber}` becomes the order number.',
    ),
  registrationPath: fieldPath
    .default('orderInvoiced')
    .describe(
      'Field of that payload which is not null once an invoice is registered. An object or list of which all values are null, zero or empty counts as null.',
    ),
  registrationNumberPaths: z
    .array(fieldPath)
    .default(['number'])
    .describe(
      "Paths, inside `registrationPath`, of the registered invoice's number; the first one with a text or number counts. Without one, the shop shows that an invoice is registered, but not which.",
    ),
  registrationDatePaths: z
    .array(fieldPath)
    .default(['issuanceDate'])
    .describe('Paths of its date of issue there, with an offset or in local time or UTC without one.'),
  registrationValuePaths: z
    .array(fieldPath)
    .default(['value'])
    .describe('Paths of its value there, in currency units or in cents.'),
  invoiceFilePath: fieldPath
    .default('invoiceUrl')
    .describe('Field of that payload which is not null once an invoice is registered and its PDF attached.'),
  finalPricePaths: z
    .array(fieldPath)
    .min(1)
    .default(['acceptedOrderDetails.total', 'subtotal.total'])
    .describe(
      "Paths of the final price, which the invoice must equal, in an order's payload; the first path with an amount counts. An amount in an object whose numbers are all zero counts only if there is no other.",
    ),
  pickingBody: template('<ITEMS>')
    .default({ finalOrderPrice: '<FINAL_PRICE>', items: '<ITEMS>' })
    .describe(
      'JSON body of `PUT /v1/Orders/{orderNumber}`. A text that is just `<FINAL_PRICE>` becomes the amount as a number, `<ITEMS>` the list of items.',
    ),
  pickingItem: template('<SKU>')
    .default({
      skuExternalReference: '<SKU>',
      quantity: '<QUANTITY>',
      unitOfMeasure: '<UNIT>',
      price: '<PRICE>',
      total: '<TOTAL>',
    })
    .describe(
      'One entry of that list: `<SKU>`, `<QUANTITY>`, `<UNIT>`, `<PRICE>`, `<TOTAL>`, also `<LINE>`, `<OUTCOME>` and `<SUBSTITUTES>`.',
    ),
  cancelBody: template('<REASON>')
    .default({ reason: '<REASON>' })
    .describe('JSON body of `POST /v1/Orders/{orderNumber}/cancel`; `<REASON>` becomes the reason that the ERP gives.'),
  invoiceAbsentAnswers: z
    .array(z.json())
    .default([null, '', [], {}])
    .describe(
      'Successful answers of `GET /v1/Storages/invoice` that mean "no file", in addition to a 404 and an empty body. Any other file or JSON means that the order has one.',
    ),
  invoiceUrlPaths: z
    .array(fieldPath)
    .default(['url', 'data.url'])
    .describe(
      "Paths of the file's URL in that answer if it is an object. A bare text, or a list of texts, is always read.",
    ),
  sftpFolder: z
    .string()
    .regex(DROP_FOLDER, 'pasta absoluta / absolute folder')
    .default('/{contractFolder}/{contractAccountId}/SKUs/Integracao')
    .describe(
      "Folder of the SFTP server that takes a tenant's images. `{contractFolder}` becomes `sftp.contractFolder` of the tenants file.",
    ),
  sftpFileName: z
    .string()
    .max(100)
    .regex(DROP_FILE_NAME, 'nome com / name with {sku}, {order}')
    .regex(DELIMITED_ORDER, '{order} uma vez, entre separadores / {order} once, between separators')
    .default('{sku}_{order}.{extension}')
    .describe(
      "Name of an image there: `{sku}` is the SKU reference, `{order}` the display order, `{extension}` `png`, `jpg`, `webp` or `gif`, `{sha256}` the first 12 digits of the content's hash.",
    ),
  linkedNamesField: z
    .string()
    .regex(FIELD_NAME, 'nome de campo / field name')
    .nullable()
    .default('fileNames')
    .describe(
      'Form field with the name of each transferred image when images are linked to their SKU, in the sequence of `orders`; null: the platform finds the images by their names.',
    ),
  pricingPath: requestPath.default('/v1/batch/Pricing').describe('Path that takes prices, as a JSON array.'),
  warehousesPath: requestPath.default('/v1/batch/Warehouses').describe('Path that takes warehouses, as a JSON array.'),
  stockPath: requestPath
    .default('/v1/batch/Warehouses/sku')
    .describe('Path that takes the stock of SKUs in warehouses, as a JSON array.'),
  pricingFields: filledFields
    .default({ skuId: '<SKU_ID>', commercialPolicyId: '<POLICY>' })
    .describe(
      "Keys that Gondola adds to a price's `data` if the ERP did not give them: `<SKU_ID>`, `<PRODUCT_ID>`, `<SKU>`, `<POLICY>` and `<WAREHOUSE>`. A key whose value is not known is left out.",
    ),
  warehouseFields: filledFields
    .default({})
    .describe(
      "Keys that Gondola adds to a warehouse's `data` in the same way; `<WAREHOUSE>` is its `externalReference`. A warehouse without `id` goes in a call of its own.",
    ),
  stockFields: filledFields
    .default({ skuId: '<SKU_ID>', warehouseId: '<WAREHOUSE>' })
    .describe("Keys that Gondola adds to a stock's `data` in the same way. A stock always goes in a call of its own."),
  moreEventTypes: z
    .array(z.string().regex(EVENT_NAME, 'nome de evento / event name'))
    .default([])
    .describe(
      'Event names for which a webhook is registered in addition to the documented ones. The platform refuses a registration with an unknown name.',
    ),
});

/** A complete wire profile: the tenant's overrides over the defaults. */
export type WireProfile = z.output<typeof wireProfileSchema>;

/** Profile of a tenant without overrides. */
export const DEFAULT_WIRE_PROFILE: WireProfile = wireProfileSchema.parse({});

/** A JSON body that must contain the placeholder, as a text or within one. */
function template(placeholder: string) {
  return z
    .json()
    .refine((body) => containsText(body, placeholder), `deve conter o texto / must contain the text ${placeholder}`);
}

function containsText(body: z.core.util.JSONType, text: string): boolean {
  if (typeof body === 'string') return body.includes(text);
  if (body === null || typeof body !== 'object') return false;
  return Object.values(body).some((value) => containsText(value, text));
}
