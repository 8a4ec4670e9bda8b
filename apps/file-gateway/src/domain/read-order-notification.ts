import { isIdentityText, orderNumberText, type RelatedEntity } from '@gondola/shared/topics/identities';
import {
  decodeUtf8,
  isPlainRecord,
  type JsonRecord,
  type JsonValue,
  tryParseWithDigits,
} from '@gondola/shared/json/json-digits';
import { scanEnvelope, spanBytes, wantedNames } from '@gondola/shared/json/span-scanner';
import type { LaneKind } from './read-file-command.ts';

const WANTED = wantedNames('error');

/**
 * What this app keeps of an order notification: whose GUID an order number has, and refusals. Nothing else of it, so
 * nothing personal.
 */
export interface OrderNews {
  readonly order: { readonly orderNumber: string; readonly orderId: string } | null;
  readonly failure: ToldFailure | null;
}

/** A refusal that an event told. */
export interface ToldFailure {
  readonly operationId: string | null;
  readonly eventType: string;
  /** Whose lane it may be about, where `data` says so. */
  readonly about: { readonly kind: LaneKind; readonly identity: string } | null;
  /** The bytes of the envelope's `error`, as received. */
  readonly error: Uint8Array | null;
}

const WITHOUT_FILES: ReadonlySet<string> = new Set<RelatedEntity>([
  'Brand',
  'Category',
  'Warehouse',
  'WarehouseSKU',
  'SKUPricing',
  'User',
]);

export type OrderNotificationReading =
  | { readonly kind: 'news'; readonly news: OrderNews }
  | { readonly kind: 'skip'; readonly why: string };

/**
 * An order notification, or an `Operation_Failed` of any entity (rules 5, 6): what carries an error, or is named so, is
 * a refusal.
 */
export function readOrderNotification(value: Uint8Array | null): OrderNotificationReading {
  const envelope = value === null ? undefined : tryParseWithDigits(decodeUtf8(value) ?? '');
  if (value === null || !isPlainRecord(envelope)) return { kind: 'skip', why: 'not-an-envelope' };
  const data = isPlainRecord(envelope['data']) ? envelope['data'] : {};
  const failure = failureOf(value, envelope, data);
  const order = orderOf(envelope, data);
  return order === null && failure === null
    ? { kind: 'skip', why: 'no-news' }
    : { kind: 'news', news: { order, failure } };
}

function orderOf({ relatedEntity }: JsonRecord, { number, id }: JsonRecord): OrderNews['order'] {
  const orderNumber = orderNumberText(number);
  if (relatedEntity !== 'Order' || orderNumber === null || !isIdentityText(id)) return null;
  return { orderNumber, orderId: id };
}

function failureOf(value: Uint8Array, envelope: JsonRecord, data: JsonRecord): ToldFailure | null {
  const eventType = textOf(envelope['eventType']) ?? '';
  const hasError = (envelope['error'] ?? null) !== null;
  if (!hasError && !eventType.endsWith('Failed')) return null;
  const scan = scanEnvelope(value, WANTED);
  return {
    operationId: textOf(envelope['operationId']),
    eventType,
    about: aboutOf(envelope['relatedEntity'], data),
    error: hasError && scan.ok ? spanBytes(value, scan.spans.get('error')) : null,
  };
}

/** The document has no entity for files: a refusal about one may bear any name but those of entities that have none. */
function aboutOf(relatedEntity: JsonValue | undefined, data: JsonRecord): ToldFailure['about'] {
  if (typeof relatedEntity === 'string' && WITHOUT_FILES.has(relatedEntity)) return null;
  const orderNumber = orderNumberText(data['number']);
  if (orderNumber !== null) return { kind: 'order-invoice', identity: orderNumber };
  const reference = textOf(data['skuExternalReference']) ?? textOf(data['externalReference']);
  return reference === null ? null : { kind: 'sku-images', identity: reference };
}

function textOf(value: JsonValue | undefined): string | null {
  return isIdentityText(value) ? value : null;
}
