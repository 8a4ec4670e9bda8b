import {
  isPlainRecord,
  type JsonRecord,
  type JsonValue,
  parseRecord,
  stringifyWithDigits,
} from '../json/json-digits.ts';

/** Parts of a block that stay: plain values (`true`) or nested blocks. Everything else is left out. */
interface Staying {
  readonly [field: string]: true | Staying;
}

const AMOUNTS: Staying = fields(
  'subtotal',
  'discount',
  'netDiscount',
  'couponDiscount',
  'frete',
  'total',
  'giftcardDiscount',
);

const ITEM: Staying = fields(
  'id',
  'skuId',
  'ean',
  'reference',
  'orderedQuantity',
  'unitOfMeasure',
  'arithmeticFactor',
  'salePrice',
  'totalPerProduct',
  'manualPrice',
  'discountApplied',
);

/**
 * Fields of the platform's `data` that identify no person and that later steps use: identity, status, times,
 * amounts, items, and the registered invoice, which is fiscal. A field that is not listed is left out, so new
 * fields are too, and so is a block in place of a plain value.
 */
const ORDER: Staying = {
  ...fields('id', 'number', 'status', 'createdAt', 'updatedAt', 'origin', 'deliveryType', 'currency', 'itemAmount'),
  ...fields('canBeCancelled'),
  orderInvoiced: fields('number', 'issuanceDate', 'value', 'series', 'model', 'accessKey'),
  items: ITEM,
  seller: fields('sellerCode'),
  subtotal: AMOUNTS,
  giftcard: fields('applied', 'appliedAmount'),
  acceptedOrderDetails: {
    ...AMOUNTS,
    ...fields('scheduledDate', 'scheduledStartTime', 'scheduledEndTime', 'expressStartDate', 'expressEndDate'),
    ...fields('pickupPointName'),
  },
};

const ERROR: Staying = fields('statusCode', 'title');

const ENVELOPE: Staying = {
  ...fields('operationId', 'contractAccountId', 'relatedEntity', 'eventType'),
  data: ORDER,
  error: ERROR,
};

/**
 * `data` of an order without fields that may be personal; null if it is no JSON object. Numbers have their original
 * digits.
 */
export function redactOrder(data: Uint8Array): Buffer | null {
  return redacted(data, ORDER);
}

/** The platform's error without its sentences, which may repeat the request. */
export function redactError(error: Uint8Array): Buffer | null {
  return redacted(error, ERROR);
}

/**
 * A whole notification about an order, reduced by the same rules; a refusal stays a refusal, whatever its error is.
 */
export function redactNotification(envelope: Uint8Array): Buffer | null {
  const record = parseRecord(envelope);
  if (record === null) return null;
  const hasError = (record['error'] ?? null) !== null;
  const { error = null, ...rest } = partOf(record, ENVELOPE);
  return Buffer.from(stringifyWithDigits({ ...rest, ...(hasError && { error: error ?? {} }) }));
}

function redacted(bytes: Uint8Array, staying: Staying): Buffer | null {
  const record = parseRecord(bytes);
  return record === null ? null : Buffer.from(stringifyWithDigits(partOf(record, staying)));
}

function partOf(record: JsonRecord, staying: Staying): JsonRecord {
  const entries = Object.entries(staying).flatMap(([name, part]) => {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if (value === undefined || (part === true && !isPlain(value))) return [];
    return [[name, part === true ? value : partsOf(value, part)] as const];
  });
  return Object.fromEntries(entries);
}

/** A block, or each block of a list; other values contain no known field. */
function partsOf(value: JsonValue, staying: Staying): JsonValue {
  if (Array.isArray(value)) return value.map((each: JsonValue) => partsOf(each, staying));
  return isPlainRecord(value) ? partOf(value, staying) : null;
}

function fields(...names: readonly string[]): Staying {
  return Object.fromEntries(names.map((name) => [name, true as const]));
}

function isPlain(value: JsonValue): boolean {
  return !Array.isArray(value) && !isPlainRecord(value);
}
