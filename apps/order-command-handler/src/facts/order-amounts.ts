import type {
  AcceptedPaymentDto,
  OrderCouponDto,
  OrderGiftCardDto,
  OrderTotalsDto,
} from '@gondola/shared/orders/order-view.dto';
import { plainNumberOf } from '@gondola/shared/json/digits';
import type { JsonRecord, JsonValue } from '@gondola/shared/json/json-digits';
import { moneyText } from '@gondola/shared/units-and-money/money';
import { filledText, recordOf } from './platform-fields.ts';

/** Totals and payment of an order: the platform's amounts, digit by digit; no sum is computed or checked. */

/** The amounts that `acceptedOrderDetails` and `subtotal` both have. */
const AMOUNTS = ['subtotal', 'discount', 'couponDiscount', 'giftcardDiscount', 'frete', 'total'] as const;

/**
 * Amount by amount, `acceptedOrderDetails` wins over the cart's `subtotal`, as for the final price (rule 14); a block
 * of zeros is ignored.
 */
export function totalsOf(data: JsonRecord): OrderTotalsDto {
  const blocks = [recordOf(data['acceptedOrderDetails']), recordOf(data['subtotal'])];
  const used = blocks.some(hasAmounts) ? blocks.filter(hasAmounts) : blocks;
  const amount = (key: (typeof AMOUNTS)[number]): string | null => firstMoney(used.map((block) => block[key]));
  return {
    subtotal: amount('subtotal'),
    discount: amount('discount'),
    couponDiscount: amount('couponDiscount'),
    giftCard: amount('giftcardDiscount') ?? moneyText(recordOf(data['giftcard'])['appliedAmount']),
    freight: amount('frete'),
    total: amount('total'),
  };
}

/** The applied coupon; null for none. */
export function couponOf(data: JsonRecord): OrderCouponDto | null {
  const id = filledText(data['couponId']);
  const blocks = [recordOf(data['acceptedOrderDetails']), recordOf(data['subtotal'])];
  const code = blocks.map((block) => filledText(block['appliedCouponCode'])).find((text) => text !== null) ?? null;
  return id === null && code === null ? null : { id, code };
}

/** The gift card that pays for part of the order; null for none. */
export function giftCardOf(data: JsonRecord): OrderGiftCardDto | null {
  const card = recordOf(data['giftcard']);
  const details = recordOf(data['acceptedOrderDetails']);
  const isApplied = card['applied'] === true || details['hasGiftcardApplied'] === true;
  if (!isApplied) return null;
  return { amount: firstMoney([card['appliedAmount'], details['giftcardDiscount']]) };
}

/**
 * Payment as chosen by the customer. `cashChange` is the note for which change is to be brought; `userPaymentData`
 * stays the platform's text, which holds JSON of the payment provider.
 */
export function acceptedPaymentOf(details: JsonRecord): AcceptedPaymentDto {
  const { installments, userPaymentData } = details;
  return {
    method: filledText(details['paymentMethod']),
    provider: filledText(details['paymentProvider']),
    brand: filledText(details['brand']),
    installments: plainNumberOf(installments),
    cashChange: moneyText(details['cashChange']),
    userPaymentData: typeof userPaymentData === 'string' ? userPaymentData : null,
  };
}

function hasAmounts(block: JsonRecord): boolean {
  return AMOUNTS.some((key) => /[1-9]/.test(moneyText(block[key]) ?? ''));
}

function firstMoney(values: readonly (JsonValue | undefined)[]): string | null {
  return values.map(moneyText).find((text) => text !== null) ?? null;
}
