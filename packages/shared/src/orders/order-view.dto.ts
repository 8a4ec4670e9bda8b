import { Published } from '../schemas/published.decorators.ts';

/** The order as the ERP sees it (contract, "Order events"). Values that the platform left out are null. */

const TEXT = { type: 'text', nullable: true } as const;
const MONEY = { type: 'money', nullable: true } as const;
const TIME = { type: 'time', nullable: true } as const;

/** Certainty of an item's SKU: found by GUID, by reference and EAN, found more than once, or unknown (rule 11). */
export const SKU_MATCHES = ['exact', 'ean', 'ambiguous', 'unknown'] as const;

export type SkuMatch = (typeof SKU_MATCHES)[number];

/** Published form of every integer enum of the platform. */
export class CodeAndNameDto {
  @Published({ type: 'integer' }) readonly code!: number;
  @Published({ type: 'text', nullable: true, about: 'Null for an unknown code' })
  readonly name!: string | null;
}

const CODE_AND_NAME = { type: 'record', of: () => CodeAndNameDto, nullable: true } as const;

export class OrderFulfilmentDto {
  @Published({ ...CODE_AND_NAME, about: '1 `scheduled`, 2 `express`, 3 `pickup`' })
  readonly type!: CodeAndNameDto | null;
  @Published(TIME) readonly windowStart!: string | null;
  @Published(TIME) readonly windowEnd!: string | null;
  @Published(TEXT) readonly pickupPoint!: string | null;
}

export class OrderTotalsDto {
  @Published(MONEY) readonly subtotal!: string | null;
  @Published(MONEY) readonly discount!: string | null;
  @Published(MONEY) readonly couponDiscount!: string | null;
  @Published(MONEY) readonly giftCard!: string | null;
  @Published(MONEY) readonly freight!: string | null;
  @Published(MONEY) readonly total!: string | null;
}

export class OrderCouponDto {
  @Published(TEXT) readonly id!: string | null;
  @Published(TEXT) readonly code!: string | null;
}

export class OrderGiftCardDto {
  @Published(MONEY) readonly amount!: string | null;
}

export class AcceptedPaymentDto {
  @Published(TEXT) readonly method!: string | null;
  @Published(TEXT) readonly provider!: string | null;
  @Published(TEXT) readonly brand!: string | null;
  @Published({ type: 'number', nullable: true }) readonly installments!: number | null;
  @Published({ ...MONEY, about: 'Banknote for which the customer requires change' }) readonly cashChange!:
    | string
    | null;
  @Published({ ...TEXT, about: 'JSON of the payment provider' }) readonly userPaymentData!: string | null;
}

export class OrderCustomerDto {
  @Published(TEXT) readonly id!: string | null;
  @Published(TEXT) readonly firstName!: string | null;
  @Published(TEXT) readonly lastName!: string | null;
  @Published(TEXT) readonly email!: string | null;
  @Published(TEXT) readonly document!: string | null;
  @Published({ ...TEXT, about: 'Country code and number in one text' }) readonly phone!: string | null;
  @Published({ type: 'date', nullable: true }) readonly birthDate!: string | null;
  @Published(TEXT) readonly gender!: string | null;
}

export class OrderAddressDto {
  @Published(TEXT) readonly street!: string | null;
  @Published(TEXT) readonly number!: string | null;
  @Published(TEXT) readonly additionalInfo!: string | null;
  @Published(TEXT) readonly neighborhood!: string | null;
  @Published(TEXT) readonly city!: string | null;
  @Published(TEXT) readonly state!: string | null;
  @Published(TEXT) readonly country!: string | null;
  @Published(TEXT) readonly zipCode!: string | null;
  @Published(TEXT) readonly reference!: string | null;
}

/** The shop that sells the order. */
export class OrderSellerDto {
  @Published(TEXT) readonly id!: string | null;
  @Published(TEXT) readonly sellerCode!: string | null;
  @Published(TEXT) readonly name!: string | null;
  @Published(TEXT) readonly phone!: string | null;
  @Published({ type: 'record', of: () => OrderAddressDto }) readonly address!: OrderAddressDto;
}

/** One payment attempt. */
export class OrderPaymentDto {
  @Published(TEXT) readonly method!: string | null;
  @Published(TEXT) readonly provider!: string | null;
  @Published(TEXT) readonly brand!: string | null;
  @Published(CODE_AND_NAME) readonly status!: CodeAndNameDto | null;
  @Published(MONEY) readonly value!: string | null;
  @Published(TEXT) readonly transactionId!: string | null;
  @Published(TEXT) readonly authCode!: string | null;
}

export class WeightDto {
  @Published({ type: 'decimal' }) readonly value!: string;
  @Published({ type: 'text', about: '`Kg`, `G` or `Mg`' }) readonly unit!: string;
}

export class OrderItemDto {
  @Published({ type: 'integer', about: 'From 1' }) readonly line!: number;
  @Published({ ...TEXT, about: "The platform's GUID" }) readonly productId!: string | null;
  @Published({ ...TEXT, about: "The platform's GUID" }) readonly skuId!: string | null;
  @Published({ ...TEXT, about: 'Null if `match` is `ambiguous` or `unknown`' })
  readonly skuExternalReference!: string | null;
  @Published(TEXT) readonly name!: string | null;
  @Published({ type: 'word', choices: SKU_MATCHES, about: 'How the SKU was found' }) readonly match!: SkuMatch;
  @Published(TEXT) readonly ean!: string | null;
  @Published(TEXT) readonly reference!: string | null;
  @Published({ ...TEXT, about: '`Un`, `Kg`, `G` or `Mg`' }) readonly unitOfMeasure!: string | null;
  @Published({ type: 'number', nullable: true, about: 'Units, or multiples of the sale step; never a weight' })
  readonly orderedQuantity!: number | null;
  @Published({ type: 'record', of: () => WeightDto, nullable: true, about: 'Null for `Un`' })
  readonly approximateWeight!: WeightDto | null;
  @Published(MONEY) readonly salePrice!: string | null;
  @Published({ ...MONEY, about: 'Amount before discounts are apportioned' }) readonly gross!: string | null;
  @Published(MONEY) readonly discount!: string | null;
  @Published({ ...MONEY, about: 'Amount that counts towards the total' }) readonly net!: string | null;
}

export class OrderViewDto {
  @Published({ ...TEXT, about: "The platform's GUID" }) readonly orderId!: string | null;
  @Published({ type: 'integer' }) readonly orderNumber!: number;
  @Published(TIME) readonly createdAt!: string | null;
  @Published(TIME) readonly updatedAt!: string | null;
  @Published({ ...CODE_AND_NAME, about: '0 `undefined`, 1 `app`, 2 `web`' }) readonly origin!: CodeAndNameDto | null;
  @Published({ type: 'record', of: () => OrderFulfilmentDto }) readonly fulfilment!: OrderFulfilmentDto;
  @Published({ type: 'record', of: () => OrderSellerDto }) readonly seller!: OrderSellerDto;
  @Published(TEXT) readonly currency!: string | null;
  @Published({ type: 'record', of: () => OrderTotalsDto }) readonly totals!: OrderTotalsDto;
  @Published({ type: 'record', of: () => OrderCouponDto, nullable: true }) readonly coupon!: OrderCouponDto | null;
  @Published({ type: 'record', of: () => OrderGiftCardDto, nullable: true })
  readonly giftCard!: OrderGiftCardDto | null;
  @Published({ type: 'record', of: () => AcceptedPaymentDto, about: 'Payment that the customer chose' })
  readonly acceptedPayment!: AcceptedPaymentDto;
  @Published({ type: 'record', of: () => OrderCustomerDto, about: 'Personal data' })
  readonly customer!: OrderCustomerDto;
  @Published({ type: 'record', of: () => OrderAddressDto, about: 'Personal data' }) readonly address!: OrderAddressDto;
  @Published({ type: 'record', of: () => OrderPaymentDto, list: true, about: 'One entry per payment attempt' })
  readonly payments!: readonly OrderPaymentDto[];
  @Published({ type: 'record', of: () => OrderItemDto, list: true }) readonly items!: readonly OrderItemDto[];
}
