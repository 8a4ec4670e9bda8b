import { orderPayload } from '../order-payload/order-payload.ts';
import { MORNING, NO_TERMS, type Storefront } from '../orders/order.ts';
import { afterPayment, placeOrder } from '../orders/place-order.ts';
import { priceLine } from '../orders/price-line.ts';
import { decideProduct } from '../products/decide-product.ts';
import { productEvent, productReport } from '../products/product-report.ts';
import { parseExact, type Json, type JsonObject } from '../values/exact-json.ts';
import { ticksOf, utcMs } from '../values/local-time.ts';
import { errorObject } from '../values/refusal.ts';
import { envelopeOf, type Notification } from '../webhooks/notification.ts';
import type { DocumentedEvent } from './document.ts';

const A_GUID = '11111111-1111-4111-8111-111111111111';
const NOW = ticksOf(Date.UTC(2026, 10, 20, 13, 15));
const SHOP: Storefront = {
  baseUrl: 'http://127.0.0.1:8090',
  registrationField: 'orderInvoiced',
  fractionOfCent: '',
  sellerId: A_GUID,
  shippingPolicyId: A_GUID,
  deliveryId: A_GUID,
  paymentMethodId: A_GUID,
  providerMethodId: A_GUID,
};
const INPUTS = { now: NOW, newGuid: () => A_GUID, newTraceId: () => '4bf92f3577b34da6a3ce929d0e0e4736' };
const NOTHING = {
  existing: undefined,
  slugTaken: false,
  foreignSkus: new Set<string>(),
  brandId: null,
  categoryId: null,
};

/** Examples of what a webhook receives, made by the code that makes the notifications themselves. */
export function exampleEvents(product: unknown): DocumentedEvent[] {
  const item = parseExact(JSON.stringify(product));
  const entered = decideProduct(item, NOTHING, INPUTS);
  const refused = decideProduct(item, { ...NOTHING, slugTaken: true }, INPUTS);
  const [sku] = entered.product?.skus ?? [];
  if (entered.product === undefined || sku === undefined) throw new Error('The example of a product does not enter');
  const basket = { skuExternalReference: sku.externalReference, quantity: '0.312', unitPrice: '39.90' };
  const pricing = priceLine(basket, entered.product, sku);
  const lines = pricing.kind === 'line' ? [pricing.line] : [];
  const checkout = {
    number: 100_234,
    contractAccountId: A_GUID,
    deliveryType: 1,
    window: MORNING,
    origin: 2,
    terms: NO_TERMS,
    lines,
  } as const;
  const order = afterPayment(placeOrder({ ...checkout, now: NOW, newGuid: () => A_GUID }), 'approved', NOW);
  const failed = { id: A_GUID, number: 100_234, status: 300 };
  const refusal = { statusCode: 409, detail: 'Order 100234 is not paid.', violations: [] };
  const error = errorObject(refusal, { instance: '/v1/gateway/orders/100234/status', traceId: INPUTS.newTraceId() });
  return [
    event(
      'An order is paid, changes its status, or has other items (1300)',
      'Order',
      'Order_Updated',
      orderPayload(order, SHOP),
    ),
    event('A PATCH of the status was refused', 'Order', 'Order_StatusUpdateFailed', failed, error),
    event('A cancellation was refused', 'Order', 'Order_CancelFailed', failed, error),
    event('Another call was refused', 'Order', 'Operation_Failed', failed, error),
    ...[entered, refused].map(({ result }) =>
      event(
        'The outcome of a product',
        'ProductWithSKUs',
        productEvent(result),
        productReport(result, utcMs(NOW)) as unknown as Json,
      ),
    ),
  ];
}

function event(
  summary: string,
  relatedEntity: Notification['relatedEntity'],
  eventType: Notification['eventType'],
  data: Json,
  error?: Notification['error'],
): DocumentedEvent {
  const notification = { operationId: A_GUID, contractAccountId: A_GUID, relatedEntity, eventType, data };
  const envelope = envelopeOf(error === undefined ? notification : { ...notification, error });
  return { name: eventType, summary, example: JSON.parse(JSON.stringify(envelope)) as JsonObject };
}
