import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { PickedLine, PickingItem } from '@gondola/shared/orders/picking-items';
import { decimalTextOf } from '@gondola/shared/json/digits';

/** A shop that carries out pickings, as far as its document says how: by its own SKUs and exact weights. */

/** A line of the shop's order. Weights in grams, amounts in cents. */
export interface ShopLine {
  readonly sku: string;
  readonly quantity: number;
  readonly priceCents: number;
  readonly totalCents: number;
}

const STEP = 100;
const PER_UNIT = 1_000;

export function isWeighed(sku: string): boolean {
  return sku.startsWith('kg');
}

/** The lines of an order's payload: a weight only as rounded steps (docs/platform.md, "Order item"). */
export function payloadItems(lines: readonly ShopLine[]): JsonRecord[] {
  return lines.map(({ sku, quantity, priceCents, totalCents }) => {
    const gross = Math.max(totalCents, amount(quantity, priceCents));
    return {
      id: `product ${sku}`,
      skuId: `guid ${sku}`,
      ean: `ean ${sku}`,
      reference: `reference ${sku}`,
      unitOfMeasure: isWeighed(sku) ? 'Kg' : 'Un',
      orderedQuantity: isWeighed(sku) ? Math.max(1, Math.round(quantity / STEP)) : quantity / PER_UNIT,
      arithmeticFactor: isWeighed(sku) ? 0.1 : null,
      salePrice: priceCents / 100,
      totalPerProduct: gross / 100,
      manualPrice: totalCents / 100,
      discountApplied: (gross - totalCents) / 100,
    };
  });
}

/**
 * The order after a PUT; null if it is refused as a whole. An item is of the first line of its SKU that no item before
 * it reported, or with `isByLine` of the line that it says; without one it is added.
 */
export function carriedOut(
  lines: readonly ShopLine[],
  items: readonly PickingItem[],
  isByLine: boolean,
): readonly ShopLine[] | null {
  const after: (ShopLine | null)[] = [...lines];
  const open = new Set(lines.keys());
  for (const item of items) {
    const line = isByLine ? item.line : undefined;
    const ofSku = [...open].filter((index) => lines[index]?.sku === item.skuExternalReference);
    const at = ofSku.find((index) => line === undefined || index === line - 1);
    if (at === undefined && line !== undefined) return null;
    const said = saidOf(item);
    if (at === undefined) {
      if (said.quantity !== 0) after.push(changed(NO_LINE(item.skuExternalReference), said));
      continue;
    }
    open.delete(at);
    after[at] = said.quantity === 0 ? null : changed(lines[at]!, said);
  }
  return after.filter((line) => line !== null);
}

/** The order as the ERP wants it: each line that it names as it says, all others as they are. */
export function wanted(
  lines: readonly ShopLine[],
  named: readonly { readonly entry: PickedLine; readonly line: number | null }[],
): readonly ShopLine[] {
  const own = named.filter(({ entry: { outcome } }) => outcome === 'picked' || outcome === 'missing');
  const others = named.filter((each) => !own.includes(each));
  const left = lines.flatMap((line, index) => {
    const entry = own.find((each) => each.line === index + 1)?.entry;
    const isReplaced = others.some((each) => each.line === index + 1);
    if (entry === undefined) return isReplaced ? [] : [line];
    return entry.outcome === 'missing' ? [] : [changed(line, wantedOf(entry))];
  });
  const added = others.map(({ entry }) => changed(NO_LINE(entry.skuExternalReference), wantedOf(entry)));
  return [...left, ...added];
}

interface Said {
  readonly quantity: number | undefined;
  readonly priceCents: number | undefined;
  readonly totalCents: number | undefined;
}

const NO_LINE = (sku: string): ShopLine => ({ sku, quantity: 0, priceCents: 0, totalCents: 0 });

function changed(line: ShopLine, said: Said): ShopLine {
  const quantity = said.quantity ?? line.quantity;
  const priceCents = said.priceCents ?? line.priceCents;
  const isAsBefore = said.quantity === undefined && said.priceCents === undefined;
  const totalCents = said.totalCents ?? (isAsBefore ? line.totalCents : amount(quantity, priceCents));
  return { sku: line.sku, quantity, priceCents, totalCents };
}

export function amount(quantity: number, priceCents: number): number {
  return Math.round((quantity * priceCents) / PER_UNIT);
}

function wantedOf({ quantity, unitPrice, total }: PickedLine): Said {
  return { quantity: thousandths(quantity?.value), priceCents: cents(unitPrice), totalCents: cents(total) };
}

function saidOf({ quantity, price, total }: PickingItem): Said {
  return { quantity: thousandths(quantity), priceCents: cents(price), totalCents: cents(total) };
}

function thousandths(value: Parameters<typeof decimalTextOf>[0]): number | undefined {
  const text = decimalTextOf(value);
  return text === null ? undefined : Math.round(Number(text) * PER_UNIT);
}

function cents(value: Parameters<typeof decimalTextOf>[0]): number | undefined {
  const text = decimalTextOf(value);
  return text === null ? undefined : Math.round(Number(text) * 100);
}
