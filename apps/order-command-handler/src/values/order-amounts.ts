import type {
  AcceptedPaymentDto,
  OrderCouponDto,
  OrderGiftCardDto,
  OrderTotalsDto,
} from '@gondola/shared/dto/order-view.dto';
import type { JsonRecord, JsonValue } from '@gondola/shared/json/json-digits';
import { moneyText } from '@gondola/shared/units-and-money/money';
import { filledText, recordOf } from './platform-fields.ts';

/** What an order costs, and how it is paid: the platform's amounts by their digits; no sum is added up or asserted. */

/** The amounts that `acceptedOrderDetails` and `subtotal` both have. */
const AMOUNTS = ['subtotal', 'discount', 'couponDiscount', 'giftcardDiscount', 'frete', 'total'] as const;

/**
 * What was accepted by the customer goes before the cart's subtotal, amount by amount, as for the final price (rule
 * 14); a block in which all amounts are zero is not used.
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

/** The coupon that was applied; null for none. */
export function couponOf(data: JsonRecord): OrderCouponDto | null {
  const id = filledText(data['couponId']);
  const blocks = [recordOf(data['acceptedOrderDetails']), recordOf(data['subtotal'])];
  const code = blocks.map((block) => filledText(block['appliedCouponCode'])).find((text) => text !== null) ?? null;
  return id === null && code === null ? null : { id, code };
}

/** The gift card that pays a part of the order; null for none. */
export function giftCardOf(data: JsonRecord): OrderGiftCardDto | null {
  const card = recordOf(data['giftcard']);
  const details = recordOf(data['acceptedOrderDetails']);
  const isApplied = card['applied'] === true || details['hasGiftcardApplied'] === true;
  if (!isApplied) return null;
  return { amount: firstMoney([card['appliedAmount'], details['giftcardDiscount']]) };
}

/**
 * How the order is paid, as the customer chose it. `cashChange` is the note for which change is to be brought;
 * `userPaymentData` stays the text that the platform sends, which holds JSON of the payment provider's own.
 */
export function acceptedPaymentOf(details: JsonRecord): AcceptedPaymentDto {
  const { installments, userPaymentData } = details;
  return {
    method: filledText(details['paymentMethod']),
    provider: filledText(details['paymentProvider']),
    brand: filledText(details['brand']),
    installments: typeof installments === 'number' ? installments : null,
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
