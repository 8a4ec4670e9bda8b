import {
  isPlainRecord,
  type JsonRecord,
  type JsonValue,
  parseRecord,
  stringifyWithDigits,
} from '@gondola/shared/json/json-digits';

/** What stays of a block: its fields, each whole (`true`) or in part. Everything else is left out. */
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
 * What of the platform's `data` names no person, and later steps look at: identity, status, times, amounts, items, and
 * the registered invoice, which is fiscal. A field that is not here is left out, also one of tomorrow.
 */
const ORDER: Staying = {
  ...fields('id', 'number', 'status', 'createdAt', 'updatedAt', 'origin', 'deliveryType', 'currency', 'itemAmount'),
  ...fields('canBeCancelled', 'orderInvoiced'),
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

/** `data` of an order without what may be personal; null for what is no JSON object. Numbers keep their digits. */
export function redactOrder(data: Uint8Array): Buffer | null {
  return redacted(data, ORDER);
}

/** The platform's error, whose sentences may repeat what was sent. */
export function redactError(error: Uint8Array): Buffer | null {
  return redacted(error, ERROR);
}

function redacted(bytes: Uint8Array, staying: Staying): Buffer | null {
  const record = parseRecord(bytes);
  return record === null ? null : Buffer.from(stringifyWithDigits(partOf(record, staying)));
}

function partOf(record: JsonRecord, staying: Staying): JsonRecord {
  const entries = Object.entries(staying).flatMap(([name, part]) => {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    return value === undefined ? [] : [[name, part === true ? value : partsOf(value, part)] as const];
  });
  return Object.fromEntries(entries);
}

/** A block, or each of a list; anything else than a record says nothing that is known here. */
function partsOf(value: JsonValue, staying: Staying): JsonValue {
  if (Array.isArray(value)) return value.map((each: JsonValue) => partsOf(each, staying));
  return isPlainRecord(value) ? partOf(value, staying) : null;
}

function fields(...names: readonly string[]): Staying {
  return Object.fromEntries(names.map((name) => [name, true as const]));
}
