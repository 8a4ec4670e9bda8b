import type {
  AcceptedPaymentDto,
  OrderCouponDto,
  OrderGiftCardDto,
  OrderTotalsDto,
  OrderFulfilmentDto,
} from '@gondola/shared/orders/order-view.dto';
import { type JsonRecord, type JsonValue, isPlainRecord } from '@gondola/shared/json/json-digits';
import { numberOf } from '@gondola/shared/orders/read-values';
import { moneyText } from '@gondola/shared/units-and-money/money';
import { isPureDate, nextDay, platformMoment } from '@gondola/shared/time';
import { filledText, recordOf, codeAndName, isDateSet, momentText } from './platform-fields.ts';

/** Totals, payment and delivery of an order. Amounts are the platform's, digit by digit; no sum is checked. */

/** The amounts that `acceptedOrderDetails` and `subtotal` both have. */
const AMOUNTS = ['subtotal', 'discount', 'couponDiscount', 'giftcardDiscount', 'frete', 'total'] as const;

/**
 * Amount by amount, `acceptedOrderDetails` wins over the cart's `subtotal`, as for the final price (rule 14); a block
 * of zeros is ignored.
 */
export function totalsOf(order: JsonRecord): OrderTotalsDto {
  const blocks = [recordOf(order['acceptedOrderDetails']), recordOf(order['subtotal'])];
  const used = blocks.some(hasAmounts) ? blocks.filter(hasAmounts) : blocks;
  const amount = (key: (typeof AMOUNTS)[number]): string | null => firstMoney(used.map((block) => block[key]));
  return {
    subtotal: amount('subtotal'),
    discount: amount('discount'),
    couponDiscount: amount('couponDiscount'),
    giftCard: amount('giftcardDiscount') ?? moneyText(recordOf(order['giftcard'])['appliedAmount']),
    freight: amount('frete'),
    total: amount('total'),
  };
}

export function couponOf(order: JsonRecord): OrderCouponDto | null {
  const id = filledText(order['couponId']);
  const blocks = [recordOf(order['acceptedOrderDetails']), recordOf(order['subtotal'])];
  const code = blocks.map((block) => filledText(block['appliedCouponCode'])).find((text) => text !== null) ?? null;
  return id === null && code === null ? null : { id, code };
}

/** The gift card that pays for part of the order; null for none. */
export function giftCardOf(order: JsonRecord): OrderGiftCardDto | null {
  const card = recordOf(order['giftcard']);
  const details = recordOf(order['acceptedOrderDetails']);
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
    installments: numberOf(installments),
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

const DELIVERY_TYPES: Readonly<Record<number, string>> = { 1: 'scheduled', 2: 'express', 3: 'pickup' };

interface Window {
  readonly windowStart: string | null;
  readonly windowEnd: string | null;
}

/**
 * Reads how an order reaches its customer. The platform sends blocks for all modalities, unused ones null or zeroed;
 * here they become one. A scheduled window is a day and two times of day, an express one two times, a pickup may have
 * either. The window of the order's own modality wins over another one.
 */
export function fulfilmentOf(order: JsonRecord): OrderFulfilmentDto {
  const details = recordOf(order['acceptedOrderDetails']);
  const type = codeAndName(order['deliveryType'], DELIVERY_TYPES);
  const windows = [scheduledWindow(details), expressWindow(details)];
  const preferred = type?.name === 'express' ? windows.toReversed() : windows;
  const { windowStart, windowEnd } = preferred.find(isUsed) ?? NO_WINDOW;
  return { type, windowStart, windowEnd, pickupPoint: pickupPointOf(order, details) };
}

const NO_WINDOW: Window = { windowStart: null, windowEnd: null };

function isUsed({ windowStart, windowEnd }: Window): boolean {
  return windowStart !== null || windowEnd !== null;
}

/** A window over midnight ends on the day after that on which it begins. */
function scheduledWindow(details: JsonRecord): Window {
  const { scheduledDate: day, scheduledStartTime: start, scheduledEndTime: end } = details;
  const windowStart = timeOfDay(day, start);
  const windowEnd = timeOfDay(day, end);
  const isOverMidnight =
    windowStart !== null && windowEnd !== null && momentText(end) === null && isBefore(windowEnd, windowStart);
  return { windowStart, windowEnd: isOverMidnight ? timeOfDay(dayAfter(day), end) : windowEnd };
}

function isBefore(one: string, other: string): boolean {
  return (platformMoment(one)?.ticks ?? 0n) < (platformMoment(other)?.ticks ?? 0n);
}

function expressWindow(details: JsonRecord): Window {
  return { windowStart: momentText(details['expressStartDate']), windowEnd: momentText(details['expressEndDate']) };
}

function pickupPointOf(order: JsonRecord, details: JsonRecord): string | null {
  const point = recordOf(order['shippingPolicy'])['pickupPoint'];
  return filledText(details['pickupPointName']) ?? (isPlainRecord(point) ? filledText(point['name']) : null);
}

const CLOCK = /(?:^|[T ])(\d{1,2})(:\d{2})(:\d{2}(?:\.\d+)?)?$/;

/**
 * Joins `2026-11-21T00:00:00` and `08:00`, `8:00`, `08:00:00` or `0001-01-01T08:00:00` to one local time; `24:00` is
 * the beginning of the next day. A full local time in the second place is taken as it is.
 */
function timeOfDay(day: JsonValue | undefined, time: JsonValue | undefined): string | null {
  const whole = momentText(time);
  const clock = typeof time === 'string' ? CLOCK.exec(time.trim()) : null;
  if (whole !== null || !isDateSet(day) || clock === null) return whole;
  const [, hours = '', minutes = '', seconds = ':00'] = clock;
  const isMidnight = hours === '24' && minutes === ':00' && Number(seconds.slice(1)) === 0;
  const date = isMidnight ? dayAfter(day) : day.slice(0, 'YYYY-MM-DD'.length);
  return momentText(`${date}T${isMidnight ? '00' : hours.padStart(2, '0')}${minutes}${seconds}`);
}

/** The day after that of a date or local time; null for neither. */
function dayAfter(day: JsonValue | undefined): string | null {
  const date = typeof day === 'string' ? day.slice(0, 'YYYY-MM-DD'.length) : null;
  return isPureDate(date) ? nextDay(date) : null;
}
