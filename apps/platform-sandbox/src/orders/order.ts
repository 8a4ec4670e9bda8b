import type { StoredFile } from '../files/stored-file.ts';
import type { Shop } from '../tenants/tenants.service.ts';
import type { Invoice } from './invoice.ts';
import type { Ticks } from '../values/local-time.ts';
import type { UnitOfMeasure } from '../values/unit-of-measure.ts';

export const DELIVERY_TYPES = { scheduled: 1, express: 2, pickup: 3 } as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[keyof typeof DELIVERY_TYPES];

/** Local times, `22:00:00`; a window that ends before it begins ends on the next day. */
export interface DeliveryWindow {
  readonly start: string;
  readonly end: string;
}

export const MORNING: DeliveryWindow = { start: '08:00:00', end: '12:00:00' };

export const ORIGINS = { undefined: 0, app: 1, web: 2 } as const;
export type Origin = (typeof ORIGINS)[keyof typeof ORIGINS];

/** Purchase of one SKU: quantity, price, and catalog data at the time of the order, which never change. */
export interface OrderLine {
  readonly skuExternalReference: string;
  readonly productId: string;
  readonly skuId: string;
  readonly ean: string;
  readonly reference: string;
  readonly commercialPolicyId: string;
  readonly brandId: string | null;
  readonly categoryId: string | null;
  readonly unitOfMeasure: UnitOfMeasure;
  /** Sale step, decimal text in the unit of measure. */
  readonly arithmeticFactor: string | null;
  readonly minimumWeightForSale: string | null;
  /** The real quantity as decimal text in the unit of measure: units, or the picked weight. */
  readonly quantity: string;
  /** Units, or multiples of the sale step, rounded. */
  readonly orderedQuantity: number;
  /** Per unit of measure; a fraction where the price has more than two decimals. */
  readonly unitPriceCents: number;
  /** Per sale step. */
  readonly stepPriceCents: number;
  /** Charged amount: price × real quantity, unless another total was reported after picking. */
  readonly totalCents: number;
}

/** Ids that are drawn once, when the order is placed. */
interface OrderIds {
  readonly user: string;
  readonly address: string;
  readonly acceptedDetails: string;
  readonly payment: string;
  readonly transaction: string;
  readonly acquirerTransaction: string;
}

export type Payment = 'approved' | 'refused' | 'pending';

interface StatusEntry {
  readonly status: number;
  readonly at: Ticks;
}

export interface RegisteredInvoice extends Invoice {
  /** Id of the call that registered it. */
  readonly transactionId: string;
}

/** The newest attached file of the invoice. */
export interface InvoiceFile extends StoredFile {
  readonly uploads: number;
}

/** Parts of a basket's price besides its lines. */
export interface CheckoutTerms {
  readonly promotion: { readonly id: string; readonly name: string; readonly cents: number } | null;
  readonly coupon: { readonly id: string; readonly code: string; readonly cents: number } | null;
  readonly giftCardCents: number;
  readonly freightCents: number;
}

export const NO_TERMS: CheckoutTerms = { promotion: null, coupon: null, giftCardCents: 0, freightCents: 0 };

export interface Order extends CheckoutTerms {
  /** The number that customers see. */
  readonly number: number;
  readonly id: string;
  readonly contractAccountId: string;
  readonly status: number;
  readonly createdAt: Ticks;
  /** Rises with every change. */
  readonly updatedAt: Ticks;
  readonly statusHistory: readonly StatusEntry[];
  /** Items were recalculated since the last change of the status. */
  readonly isRecalculated: boolean;
  readonly deliveryType: DeliveryType;
  /** Hours of a scheduled delivery. */
  readonly window: DeliveryWindow;
  readonly origin: Origin;
  readonly lines: readonly OrderLine[];
  /** Reported after picking; null before. */
  readonly finalPriceCents: number | null;
  readonly invoice: RegisteredInvoice | null;
  readonly invoiceFile: InvoiceFile | null;
  readonly ids: OrderIds;
}

/** A shop, and the address of its files. */
export interface Storefront extends Shop {
  /** The sandbox's own address, without a trailing slash. */
  readonly baseUrl: string;
  /** Field of a payload that is not null once an invoice is registered; null: no such field. */
  readonly registrationField: string | null;
  /** Digits after the cents of a total that the core calculated; empty: none. */
  readonly fractionOfCent: string;
}

export function totalCents({ lines, finalPriceCents, freightCents, giftCardCents }: Order): number {
  return finalPriceCents ?? lines.reduce((sum, line) => sum + line.totalCents, freightCents - giftCardCents);
}
