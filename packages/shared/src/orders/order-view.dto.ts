import type { CodeAndName } from './order-statuses.ts';
import { Field, LONG_INTEGER } from '../schemas/field.decorators.ts';

/** The order as the ERP sees it (contract, "Order events"). Values that the platform left out are null. */

const TEXT = { type: 'text', nullable: true } as const;
const MONEY = { type: 'money', nullable: true } as const;
const TIME = { type: 'time', nullable: true } as const;

/** Certainty of an item's SKU: found by GUID, by reference and EAN, found more than once, or unknown (rule 11). */
export const SKU_MATCHES = ['exact', 'ean', 'ambiguous', 'unknown'] as const;

export type SkuMatch = (typeof SKU_MATCHES)[number];

/** Published form of every integer enum of the platform. */
export class CodeAndNameDto implements CodeAndName {
  @Field({ type: 'integer' }) readonly code!: number;
  @Field({ type: 'text', nullable: true, about: 'Null for an unknown code' })
  readonly name!: string | null;
}

const CODE_AND_NAME = { type: 'record', of: () => CodeAndNameDto, nullable: true } as const;

export class OrderFulfilmentDto {
  @Field({ ...CODE_AND_NAME, about: '1 `scheduled`, 2 `express`, 3 `pickup`' })
  readonly type!: CodeAndNameDto | null;
  @Field(TIME) readonly windowStart!: string | null;
  @Field(TIME) readonly windowEnd!: string | null;
  @Field(TEXT) readonly pickupPoint!: string | null;
}

export class OrderTotalsDto {
  @Field(MONEY) readonly subtotal!: string | null;
  @Field(MONEY) readonly discount!: string | null;
  @Field(MONEY) readonly couponDiscount!: string | null;
  @Field(MONEY) readonly giftCard!: string | null;
  @Field(MONEY) readonly freight!: string | null;
  @Field(MONEY) readonly total!: string | null;
}

export class OrderCouponDto {
  @Field(TEXT) readonly id!: string | null;
  @Field(TEXT) readonly code!: string | null;
}

export class OrderGiftCardDto {
  @Field(MONEY) readonly amount!: string | null;
}

export class AcceptedPaymentDto {
  @Field(TEXT) readonly method!: string | null;
  @Field(TEXT) readonly provider!: string | null;
  @Field(TEXT) readonly brand!: string | null;
  @Field({ type: 'number', nullable: true }) readonly installments!: number | null;
  @Field({ ...MONEY, about: 'Banknote for which the customer requires change' }) readonly cashChange!: string | null;
  @Field({ ...TEXT, about: 'JSON of the payment provider' }) readonly userPaymentData!: string | null;
}

export class OrderCustomerDto {
  @Field(TEXT) readonly id!: string | null;
  @Field(TEXT) readonly firstName!: string | null;
  @Field(TEXT) readonly lastName!: string | null;
  @Field(TEXT) readonly email!: string | null;
  @Field(TEXT) readonly document!: string | null;
  @Field({ ...TEXT, about: 'Country code and number in one text' }) readonly phone!: string | null;
  @Field({ type: 'date', nullable: true }) readonly birthDate!: string | null;
  @Field(TEXT) readonly gender!: string | null;
}

export class OrderAddressDto {
  @Field(TEXT) readonly street!: string | null;
  @Field(TEXT) readonly number!: string | null;
  @Field(TEXT) readonly additionalInfo!: string | null;
  @Field(TEXT) readonly neighborhood!: string | null;
  @Field(TEXT) readonly city!: string | null;
  @Field(TEXT) readonly state!: string | null;
  @Field(TEXT) readonly country!: string | null;
  @Field(TEXT) readonly zipCode!: string | null;
  @Field(TEXT) readonly reference!: string | null;
}

/** The shop that sells the order. */
export class OrderSellerDto {
  @Field(TEXT) readonly id!: string | null;
  @Field(TEXT) readonly sellerCode!: string | null;
  @Field(TEXT) readonly name!: string | null;
  @Field(TEXT) readonly phone!: string | null;
  @Field({ type: 'record', of: () => OrderAddressDto }) readonly address!: OrderAddressDto;
}

/** One payment attempt. */
export class OrderPaymentDto {
  @Field(TEXT) readonly method!: string | null;
  @Field(TEXT) readonly provider!: string | null;
  @Field(TEXT) readonly brand!: string | null;
  @Field(CODE_AND_NAME) readonly status!: CodeAndNameDto | null;
  @Field(MONEY) readonly value!: string | null;
  @Field(TEXT) readonly transactionId!: string | null;
  @Field(TEXT) readonly authCode!: string | null;
}

export class WeightDto {
  @Field({ type: 'decimal' }) readonly value!: string;
  @Field({ type: 'text', about: '`Kg`, `G` or `Mg`' }) readonly unit!: string;
}

export class OrderItemDto {
  @Field({ type: 'integer', about: 'From 1' }) readonly line!: number;
  @Field({ ...TEXT, about: "The platform's GUID" }) readonly productId!: string | null;
  @Field({ ...TEXT, about: "The platform's GUID" }) readonly skuId!: string | null;
  @Field({ ...TEXT, about: 'Null if `match` is `ambiguous` or `unknown`' })
  readonly skuExternalReference!: string | null;
  @Field(TEXT) readonly name!: string | null;
  @Field({ type: 'choice', choices: SKU_MATCHES, about: 'How the SKU was found' }) readonly match!: SkuMatch;
  @Field(TEXT) readonly ean!: string | null;
  @Field(TEXT) readonly reference!: string | null;
  @Field({ ...TEXT, about: '`Un`, `Kg`, `G` or `Mg`' }) readonly unitOfMeasure!: string | null;
  @Field({ type: 'number', nullable: true, about: 'Units, or multiples of the sale step; never a weight' })
  readonly orderedQuantity!: number | null;
  @Field({ type: 'record', of: () => WeightDto, nullable: true, about: 'Null for `Un`' })
  readonly approximateWeight!: WeightDto | null;
  @Field(MONEY) readonly salePrice!: string | null;
  @Field({ ...MONEY, about: 'Amount before discounts are apportioned' }) readonly gross!: string | null;
  @Field(MONEY) readonly discount!: string | null;
  @Field({ ...MONEY, about: 'Amount that counts towards the total' }) readonly net!: string | null;
}

export class OrderViewDto {
  @Field({ ...TEXT, about: "The platform's GUID" }) readonly orderId!: string | null;
  @Field(LONG_INTEGER) readonly orderNumber!: number;
  @Field(TIME) readonly createdAt!: string | null;
  @Field(TIME) readonly updatedAt!: string | null;
  @Field({ ...CODE_AND_NAME, about: '0 `undefined`, 1 `app`, 2 `web`' }) readonly origin!: CodeAndNameDto | null;
  @Field({ type: 'record', of: () => OrderFulfilmentDto }) readonly fulfilment!: OrderFulfilmentDto;
  @Field({ type: 'record', of: () => OrderSellerDto }) readonly seller!: OrderSellerDto;
  @Field(TEXT) readonly currency!: string | null;
  @Field({ type: 'record', of: () => OrderTotalsDto }) readonly totals!: OrderTotalsDto;
  @Field({ type: 'record', of: () => OrderCouponDto, nullable: true }) readonly coupon!: OrderCouponDto | null;
  @Field({ type: 'record', of: () => OrderGiftCardDto, nullable: true })
  readonly giftCard!: OrderGiftCardDto | null;
  @Field({ type: 'record', of: () => AcceptedPaymentDto, about: 'Payment that the customer chose' })
  readonly acceptedPayment!: AcceptedPaymentDto;
  @Field({ type: 'record', of: () => OrderCustomerDto, about: 'Personal data' })
  readonly customer!: OrderCustomerDto;
  @Field({ type: 'record', of: () => OrderAddressDto, about: 'Personal data' }) readonly address!: OrderAddressDto;
  @Field({ type: 'list', of: () => OrderPaymentDto, about: 'One entry per payment attempt' })
  readonly payments!: readonly OrderPaymentDto[];
  @Field({ type: 'list', of: () => OrderItemDto }) readonly items!: readonly OrderItemDto[];
}
