import type { ShownInvoice } from '@gondola/platform-client/read-answers';
import {
  BEYOND_INVOICE,
  CANCELLED_STATUSES,
  NOT_TO_BE_CREATED,
  ORDER_INVOICED,
  PAYMENT_APPROVED,
} from '@gondola/shared/orders/order-statuses';
import { isCentsOf, isSameMoney, roundedCents } from '@gondola/shared/units-and-money/money';
import type { OrderItem, OrderValues } from '../facts/order-values.ts';
import { isSameNumber, isSameValue } from '../orders/which-invoice.ts';
import type { AskedFigures, AskedLine } from './asked-figures.ts';

export const DIFFERENCE_KINDS = [
  'unknown-to-erp',
  'unknown-to-shop',
  'unpublished',
  'status',
  'item',
  'quantity',
  'weight',
  'price',
  'line-total',
  'discount',
  'freight',
  'total',
  'invoice-number',
  'invoice-value',
  'pdf-missing',
  'not-comparable',
] as const;

export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** A difference with the figure of each side; null for a side that says none. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** The line, amount or command that it is about. */
  readonly about: string | null;
  readonly shop: string | null;
  readonly published: string | null;
  readonly erp: string | null;
}

/** An order as the shop shows it, or as Gondola published it; null for what it does not say. */
export interface Figures {
  readonly status: number | null;
  readonly totals: OrderValues['totals'];
  readonly items: readonly OrderItem[];
  /** The final price. */
  readonly price: string | null;
}

export interface ShopFigures extends Figures {
  readonly invoices: readonly ShownInvoice[];
  /** Null: not asked, or no answer that says it. */
  readonly hasPdf: boolean | null;
}

export interface AuditedFigures {
  /** Null: the shop has no such order. */
  readonly shop: ShopFigures | null;
  /** Null: no event was published. */
  readonly published: Figures | null;
  /** Figures that came and were not published. */
  readonly unpublished: readonly string[];
  readonly asked: AskedFigures;
}

/** Cents of an order in each sum; null where it does not count: cancelled, or without an invoice. */
interface OrderCents {
  readonly shop: number | null;
  readonly published: number | null;
  /** The final price of an order with an invoice. */
  readonly charged: number | null;
  readonly invoiced: number | null;
}

export interface Compared {
  readonly differences: readonly Difference[];
  readonly cents: OrderCents;
}

type Sides = Partial<Pick<Difference, 'about' | 'shop' | 'published' | 'erp'>>;

function when(isSo: boolean, kind: DifferenceKind, sides: Sides): Difference[] {
  return isSo ? [{ kind, about: null, shop: null, published: null, erp: null, ...sides }] : [];
}

/**
 * Compares what the shop shows of an order with what was published and with what the ERP said. What one side does not
 * say is no difference, but for the order itself, its lines, its final price and its invoice. Two orders whose cents
 * differ always differ in something that is listed, so that the listed orders explain each difference of the sums.
 */
export function compareOrder(figures: AuditedFigures): Compared {
  const { shop, published, unpublished, asked } = figures;
  const cents = centsOf(figures);
  if (shop === null)
    return { cents, differences: when(published !== null, 'unknown-to-shop', { published: said(published) }) };
  const status = shop.status ?? published?.status ?? PAYMENT_APPROVED;
  if (published === null) {
    const isToBePublished = status >= PAYMENT_APPROVED && !NOT_TO_BE_CREATED.has(status);
    return {
      cents: isToBePublished ? cents : NO_CENTS,
      differences: when(isToBePublished, 'unknown-to-erp', { shop: said(shop) }),
    };
  }
  const isCancelled = CANCELLED_STATUSES.has(status);
  const differences = [
    ...when(unpublished.length > 0, 'unpublished', { about: unpublished.join(', ') }),
    ...when(status !== published.status, 'status', { shop: String(status), published: String(published.status) }),
    ...ofLines(shop.items, published.items),
    ...(['discount', 'couponDiscount', 'giftCard'] as const).flatMap((name) =>
      ofAmount('discount', name, shop.totals[name], published.totals[name]),
    ),
    ...ofAmount('freight', null, shop.totals.freight, published.totals.freight),
    ...ofTotal(shop, published, isCancelled ? null : asked.picking),
  ];
  if (isCancelled) return { cents, differences };
  const ofErp = [...ofPicking(shop.items, asked.picking), ...ofInvoice(shop, asked, shop.price ?? published.price)];
  const ofPdf = when(asked.pdf !== null && shop.hasPdf === false, 'pdf-missing', { about: asked.pdf });
  return { cents, differences: [...differences, ...ofErp, ...ofPdf] };
}

const NO_CENTS: OrderCents = { shop: null, published: null, charged: null, invoiced: null };

function said(figures: Figures | null): string {
  return [figures?.status, figures?.price].map((each) => each ?? '?').join(' / ');
}

function ofLines(shop: readonly OrderItem[], published: readonly OrderItem[]): Difference[] {
  // A payload without its items says nothing about them.
  if (shop.length === 0) return [];
  const [shown, heard] = [Map.groupBy(shop, keyOf), Map.groupBy(published, keyOf)];
  return [...new Set([...shown.keys(), ...heard.keys()])].flatMap((key) => {
    const [ours, theirs] = [shown.get(key) ?? [], heard.get(key) ?? []];
    const longer = ours.length > theirs.length ? ours : theirs;
    return longer.flatMap((_, index) => ofLine(key, ours[index], theirs[index]));
  });
}

/** Lines with one SKU are compared in their order. */
function keyOf({ skuId, reference, ean, productId }: OrderItem): string {
  return skuId ?? reference ?? ean ?? productId ?? '';
}

function ofLine(about: string, shop: OrderItem | undefined, published: OrderItem | undefined): Difference[] {
  const amounts = { about, shop: amountOf(shop), published: amountOf(published) };
  if (shop === undefined || published === undefined) return when(true, 'item', amounts);
  const isSaid = shop.orderedQuantity !== null && published.orderedQuantity !== null;
  const kind = shop.approximateWeight !== null && published.approximateWeight !== null ? 'weight' : 'quantity';
  return [
    ...when(isSaid && amounts.shop !== amounts.published, kind, amounts),
    ...ofAmount('price', about, shop.salePrice, published.salePrice),
    ...ofAmount('line-total', about, shop.net, published.net),
    ...ofAmount('discount', about, shop.discount, published.discount),
  ];
}

function amountOf(item: OrderItem | undefined): string | null {
  if (item === undefined) return null;
  const { approximateWeight: weight, orderedQuantity } = item;
  return weight === null ? String(orderedQuantity ?? '?') : `${weight.value} ${weight.unit}`;
}

/** An amount that was never said counts as none. */
function ofAmount(
  kind: DifferenceKind,
  about: string | null,
  shop: string | null,
  published: string | null,
): Difference[] {
  return when(shop !== null && !isSameMoney(shop, published ?? '0'), kind, { about, shop, published });
}

function ofTotal({ price }: Figures, published: Figures, picking: AskedFigures['picking']): Difference[] {
  const { by: about = null, price: erp = null } = picking ?? {};
  const isOther = erp !== null && !isCentsOf(erp, price);
  const isOff = price !== null && (isOther || !isSameMoney(price, published.price ?? undefined));
  return when(isOff, 'total', { about, shop: price, published: published.price, erp });
}

/** Lines that the ERP reported, of orders whose SKUs are all known: a SKU on several lines is left out. */
function ofPicking(items: readonly OrderItem[], picking: AskedFigures['picking']): Difference[] {
  const shown = Map.groupBy(items, ({ skuExternalReference }) => skuExternalReference);
  if (picking === null || items.length === 0 || shown.has(null)) return [];
  return [...Map.groupBy(picking.lines, ({ sku }) => sku)].flatMap(([about, [line, ...others]]) => {
    const [item, ...more] = shown.get(about) ?? [];
    if (line === undefined || others.length + more.length > 0) return [];
    if (item !== undefined && !line.isMissing) return ofPickedLine(about, item, line);
    return when((item === undefined) !== line.isMissing, 'item', { about, shop: amountOf(item), erp: spoken(line) });
  });
}

function spoken({ isMissing, quantity, unit }: AskedLine): string {
  return isMissing ? '0' : [quantity ?? '?', unit ?? ''].join(' ').trim();
}

/** A picked weight shows in what the line costs alone: the shop's quantity counts steps of sale. */
function ofPickedLine(about: string, item: OrderItem, line: AskedLine): Difference[] {
  const { gross, net, orderedQuantity, approximateWeight } = item;
  const [isUnits, shop] = [approximateWeight === null, String(orderedQuantity)];
  if (isUnits && line.quantity !== null && orderedQuantity !== null && line.quantity !== shop)
    return when(true, 'quantity', { about, shop, erp: line.quantity });
  const costs = [gross, net].filter((cost) => cost !== null);
  const isOff = line.cost !== null && costs.length > 0 && !costs.some((cost) => isCentsOf(cost, line.cost ?? ''));
  const erp = isUnits ? line.cost : `${spoken(line)} = ${line.cost}`;
  return when(isOff, isUnits ? 'line-total' : 'weight', { about, shop: gross ?? net, erp });
}

function ofInvoice({ status, invoices }: ShopFigures, { invoice }: AskedFigures, price: string | null): Difference[] {
  const { by: about = null, number = null, value = null } = invoice ?? {};
  const shown = invoices.find((each) => isSame(each.number, number)) ?? invoices.at(-1);
  if (invoice === null) return when(shown !== undefined, 'invoice-number', { shop: shown?.number ?? '?' });
  // A status behind the invoice proves one, where the shop shows none.
  const isThere = shown !== undefined || status === ORDER_INVOICED || BEYOND_INVOICE.has(status ?? 0);
  const { number: shop = null, value: shownValue = null } = shown ?? {};
  const isOther = shop !== null && !isSame(shop, number);
  const isOff = !isOther && shownValue !== null && value !== null && !isSameValue(shownValue, value);
  const isUnlikePrice = price !== null && value !== null && !isCentsOf(value, price);
  return [
    ...when(!isThere || isOther, 'invoice-number', { about, shop, erp: number }),
    ...when(isOff || isUnlikePrice, 'invoice-value', { about, shop: isOff ? shownValue : price, erp: value }),
  ];
}

function isSame(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && isSameNumber(one, other);
}

/** An amount that one side does not say counts as the other has it, so that it opens no gap between the sums. */
function centsOf({ shop, published, asked: { invoice } }: AuditedFigures): OrderCents {
  const price = shop?.price ?? published?.price ?? null;
  const shown = shop === null ? null : counted(shop.status ?? published?.status, price);
  const heard = published === null ? null : counted(published.status, published.price);
  const value = invoice?.value ?? '';
  const invoiced = shown === null ? null : roundedCents(value);
  const charged = invoiced === null ? null : isCentsOf(value, price) ? invoiced : roundedCents(price);
  return { shop: shown, published: heard, charged, invoiced };
}

function counted(status: number | null | undefined, price: string | null): number | null {
  return CANCELLED_STATUSES.has(status ?? 0) ? null : roundedCents(price);
}
