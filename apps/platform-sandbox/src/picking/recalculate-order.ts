import { Big } from 'big.js';
import { violation } from '../catalog/field-rules.ts';
import { invalid, type OrRefused, type Violation } from '../values/refusal.ts';
import { isWeighable, measuredLine } from '../orders/measured-line.ts';
import { ITEMS_CHANGED } from '../orders/order-status.ts';
import { moveTo } from '../orders/order-transitions.ts';
import type { Order, OrderLine } from '../orders/order.ts';
import type { CatalogSku } from '../products/product.ts';
import { catalogLine } from '../orders/price-line.ts';
import { isWhole, parseDecimal } from '../values/decimal.ts';
import type { Ticks } from '../values/local-time.ts';
import type { PickedItem, PickingReport } from './picking-report.ts';

export type Recalculation = OrRefused<{ readonly kind: 'recalculated'; readonly order: Order }>;

/**
 * The order after picking. Unreported lines stay, lines with nothing picked are removed, new SKUs are added. The
 * total is the reported `finalOrderPrice`, and the status stays (docs/platform.md, "Transitions shown").
 */
export function recalculateOrder(
  order: Order,
  report: PickingReport,
  catalog: ReadonlyMap<string, CatalogSku>,
  now: Ticks,
): Recalculation {
  const lines: (OrderLine | undefined)[] = [...order.lines];
  const bySku = Map.groupBy(order.lines.keys(), (line) => order.lines[line]?.skuExternalReference ?? '');
  const open = new Set(order.lines.keys());
  const openOf = (sku: string): number[] => (bySku.get(sku) ?? []).filter((line) => open.has(line));
  const found: Violation[] = [];
  for (const [index, item] of report.items.entries()) {
    const path = `Items[${index}].`;
    // A SKU on several lines is reported line by line, in their order, unless the item names its line.
    const at = openOf(item.skuExternalReference).find((line) => item.line === undefined || line === item.line - 1);
    if (at === undefined && item.line !== undefined) {
      found.push(violation(`${path}Line`, 'names no line of the SKU.'));
      continue;
    }
    if (at === undefined) {
      if (!item.quantity?.eq(0)) lines.push(added(item, catalog.get(item.skuExternalReference), path, found));
      continue;
    }
    open.delete(at);
    lines[at] = changed(lines[at] as OrderLine, item, path, found);
  }
  if (found.length > 0) return { kind: 'refused', refusal: invalid(found) };
  const left = lines.filter((line) => line !== undefined);
  const recalculated = { ...order, lines: left, finalPriceCents: report.finalPriceCents };
  return { kind: 'recalculated', order: moveTo(recalculated, ITEMS_CHANGED, now) };
}

function changed(line: OrderLine, item: PickedItem, path: string, found: Violation[]): OrderLine | undefined {
  const before = found.length;
  checkUnit(line, item, path, found);
  if (found.length > before || item.quantity?.eq(0)) return undefined;
  const quantity = item.quantity ?? parseDecimal(line.quantity) ?? new Big(1);
  const isAsBefore = item.quantity === undefined && item.unitPriceCents === undefined;
  return measuredLine(line, {
    quantity,
    unitPriceCents: item.unitPriceCents ?? line.unitPriceCents,
    totalCents: item.totalCents ?? (isAsBefore ? line.totalCents : undefined),
  });
}

function added(
  item: PickedItem,
  known: CatalogSku | undefined,
  path: string,
  found: Violation[],
): OrderLine | undefined {
  if (known === undefined) {
    found.push(violation(`${path}SkuExternalReference`, 'names no SKU of the shop.'));
    return undefined;
  }
  const { quantity, unitPriceCents, totalCents } = item;
  if (quantity === undefined) found.push(violation(`${path}Quantity`, 'is required for an item that was added.'));
  if (unitPriceCents === undefined) found.push(violation(`${path}Price`, 'is required for an item that was added.'));
  if (quantity === undefined || unitPriceCents === undefined) return undefined;
  const line = catalogLine(known.product, known.sku, { quantity, unitPriceCents, totalCents });
  if (line) checkUnit(line, item, path, found);
  return line;
}

function checkUnit(line: OrderLine, { unitOfMeasure, quantity }: PickedItem, path: string, found: Violation[]): void {
  if (unitOfMeasure !== undefined && unitOfMeasure !== line.unitOfMeasure) {
    found.push(violation(`${path}UnitOfMeasure`, `must be ${line.unitOfMeasure}, as of the SKU.`));
  }
  if (quantity !== undefined && !isWeighable(line) && !isWhole(quantity)) {
    found.push(violation(`${path}Quantity`, 'must be a whole number of units.'));
  }
}
