/**
 * Part of every text that may appear in values only. Found as plain text and in hex, which PostgreSQL uses for
 * bytes in the detail of an error.
 */
const MARK = 'canario4711x';
const HEX_MARK = Buffer.from(MARK).toString('hex');

let last = 0;

/** A unique text. */
export function canary(): string {
  last += 1;
  return `${MARK}${last}`;
}

/** The texts that contain a canary. */
export function singing(texts: readonly string[]): string[] {
  return texts.filter((text) => text.includes(MARK) || text.toLowerCase().includes(HEX_MARK));
}

type Shape = null | readonly [Shape] | { readonly [name: string]: Shape };

/** The shape with a canary in place of each null, and one as a name. */
function filled(shape: Shape): unknown {
  if (shape === null) return canary();
  if (isList(shape)) return [filled(shape[0]), filled(shape[0])];
  return Object.fromEntries([
    ...Object.entries(shape).map(([name, inner]) => [name, filled(inner)]),
    [canary(), canary()],
  ]);
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function fields(names: string, more: Record<string, Shape> = {}): Record<string, Shape> {
  return { ...Object.fromEntries(names.split(' ').map((name) => [name, null])), ...more };
}

const ADDRESS = fields('id country state city neighborhood street number zipCode addressType additionalInfo reference');
const USER = fields(
  'id gender firstName lastName email document phoneDDI phoneNumber birthDate active contractAccountId contractAccount userRole',
);
const SELLER = fields('id name country state city zipCode street number complement reference phoneNumber sellerCode');
const ITEM = fields(
  `id skuId ean reference orderedQuantity unitOfMeasure arithmeticFactor minimumWeightForSale brandId categoryId commercialPolicyId
   promotionName salePrice arithmeticFactorPrice totalPerProduct priceStartDateTime priceEndDateTime manualPrice discountApplied`.replaceAll(
    /\s+/g,
    ' ',
  ),
);

/** Every field of docs/platform.md, "Order", except `number`. */
const ORDER: Shape = fields(
  'id status createdAt updatedAt deviceId origin deliveryType currency itemAmount canBeCancelled invoiceUrl couponId transactionId',
  {
    acquirerTransactionId: null,
    user: USER,
    orderAddressId: null,
    orderAddress: ADDRESS,
    items: [ITEM],
    orderStatusRegistry: null,
    seller: SELLER,
    shippingPolicy: fields('id name sellerId', {
      seller: SELLER,
      scheduledDelivery: fields('id observations'),
      expressDelivery: null,
      pickupPoint: ADDRESS,
    }),
    subtotal: fields('subtotal appliedCouponCode total', {
      appliedPromotions: [fields('id name type')],
      appliedMyOffers: [null],
    }),
    acceptedOrderDetails: fields('id paymentProvider userPaymentData total pickupPointName transactionId brand', {
      additionalInformation: [fields('title value dataType')],
      seller: SELLER,
    }),
    paymentAttempts: [
      fields('status type brand transactionId acquirerTransactionId paymentId value authCode', {
        serviceProviderPaymentMethod: fields('id', { paymentMethod: fields('id name') }),
        data: fields('cardHolder cardNumber document pixKey'),
      }),
    ],
    orderInvoiced: fields('number value'),
    giftcard: fields('applied appliedAmount'),
  },
);

/** The `data` of an order with a canary in every field; `more` holds its identity. */
export function orderOfCanaries(more: Record<string, unknown> = {}): unknown {
  return { ...(filled(ORDER) as object), ...more };
}

/** The `data` of a user; the e-mail is its identity. */
export function userOfCanaries(): unknown {
  return { ...(filled(USER) as object), email: `${canary()}@example.com` };
}

/** docs/platform.md, "Error object". */
export function errorOfCanaries(): unknown {
  const problem = fields('message title detail instance traceId', { validationErrors: [fields('id key validation')] });
  return { ...(filled(problem) as object), statusCode: 400 };
}
