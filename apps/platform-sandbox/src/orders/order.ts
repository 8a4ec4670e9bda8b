import type { StoredFile } from '../files/stored-file.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { Ticks } from '../values/local-time.ts';
import type { UnitOfMeasure } from '../values/unit-of-measure.ts';

export const DELIVERY_TYPES = { scheduled: 1, express: 2, pickup: 3 } as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[keyof typeof DELIVERY_TYPES];

export const ORIGINS = { undefined: 0, app: 1, web: 2 } as const;
export type Origin = (typeof ORIGINS)[keyof typeof ORIGINS];

/** What a shopper bought of one SKU, and at what price. Everything stays as it was at the time of the order. */
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
  /** The real quantity, decimal text in the unit of measure: units, or the separated weight. */
  readonly quantity: string;
  /** Units, or multiples of the sale step, rounded. */
  readonly orderedQuantity: number;
  /** Per unit of measure. */
  readonly unitPriceCents: number;
  /** Per sale step. */
  readonly stepPriceCents: number;
  /** What is charged: price × real quantity, unless another total was reported after picking. */
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

interface StatusEntry {
  readonly status: number;
  readonly at: Ticks;
}

export interface RegisteredInvoice extends Invoice {
  /** Of the call that registered it. */
  readonly transactionId: string;
}

/** The invoice's file, the newest that was attached. */
export interface InvoiceFile extends StoredFile {
  readonly uploads: number;
}

/** What a shopper's basket costs beside its lines. */
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
  readonly deliveryType: DeliveryType;
  readonly origin: Origin;
  readonly lines: readonly OrderLine[];
  /** As reported after picking; null before. */
  readonly finalPriceCents: number | null;
  readonly invoice: RegisteredInvoice | null;
  readonly invoiceFile: InvoiceFile | null;
  readonly ids: OrderIds;
}

/** The shop of a tenant: the ids of its one seller and its one shipping policy. */
export interface Shop {
  readonly sellerId: string;
  readonly shippingPolicyId: string;
  readonly deliveryId: string;
  readonly paymentMethodId: string;
  readonly providerMethodId: string;
}

/** A shop, and where its files are reached. */
export interface Storefront extends Shop {
  /** The sandbox's own address, without a slash at the end. */
  readonly baseUrl: string;
  /** Field of a payload that is not null once an invoice is registered; null: none is. */
  readonly registrationField: string | null;
}

export function totalCents({ lines, finalPriceCents, freightCents, giftCardCents }: Order): number {
  return finalPriceCents ?? lines.reduce((sum, line) => sum + line.totalCents, freightCents - giftCardCents);
}
