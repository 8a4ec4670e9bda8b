import { hash } from 'node:crypto';
import { type PickedLine, type PickingItem, pickingItem } from '@gondola/shared/orders/picking-items';
import { isCentsOf, moneyProduct } from '@gondola/shared/units-and-money/money';
import { unitFrom } from '@gondola/shared/units-and-money/units';
import type { OrderItem } from '../facts/order-values.ts';
import type { Problem } from './decision.ts';
import { atLine, isOfOrder, missingLine, type NamedLine, nameLines, namedReference, quoted } from './named-lines.ts';
import { linesOfSkus, type PickedOrder, type SkuLines } from './sku-lines.ts';

export interface PickingPlan {
  readonly items: readonly PickingItem[];
  /** Mistakes in its SKUs and lines; without items if there are any. */
  readonly problems: readonly Problem[];
  /** True if the same items, carried out once more, change nothing. */
  readonly isRepeatable: boolean;
  /** True if the items follow from the order's lines, too, and not from the command alone. */
  readonly followsLines: boolean;
}

/** Most lines that a reason lists. */
const MOST_LISTED = 10;

/**
 * Items to post for a picking, in the ERP's order (rule 11). A replaced line that the command does not report itself
 * is reported as missing, right after its substitute: a line that is left out stays as it is.
 *
 * The platform knows an item by its SKU alone, unless the wire profile says its line (`isByLine`). So where it would
 * take an item for another line of the same SKU, all lines of that SKU are posted together, in the order's order, and
 * what is added after them: those that the picking leaves out with their present values. If these are not known, the
 * picking cannot be said, and the ERP must report that line, too.
 */
export function planPicking(picked: readonly PickedLine[], order: PickedOrder, isByLine: boolean): PickingPlan {
  const { named, problems } = nameLines(picked, order.lines, order.skus);
  if (problems.length > 0) return { items: [], problems, isRepeatable: false, followsLines: true };
  const bySku = linesOfSkus(named, order);
  const whole = new Map([...bySku].filter(([, sku]) => isPostedWhole(sku, isByLine)));
  const posted = new Map([...whole].map(([reference, sku]) => [reference, wholeSku(reference, sku, order)]));
  const unsaid = [...posted].flatMap(([reference, { unsaid: lines }]) =>
    lines.length === 0 ? [] : [lineRequired(reference, lines, picked)],
  );
  const items = unsaid.length > 0 ? [] : itemsOf(named, new Map([...posted].map(([sku, { said }]) => [sku, said])));
  return {
    items: items.map(pickingItem),
    problems: unsaid,
    isRepeatable: [...bySku.values()].every(isSameAgain),
    followsLines: isByLine || whole.size > 0 || picked.some(({ line }) => line !== null),
  };
}

/** Identifies an order's lines: an item that follows them is posted again only while they are the same. */
export function hashOfLines(lines: readonly OrderItem[]): string {
  const identities = lines.map(({ skuId, productId, ean, reference }) => [skuId, productId, ean, reference]);
  return hash('sha256', JSON.stringify(identities)).slice(0, 16);
}

function isPostedWhole({ lines, added }: SkuLines, isByLine: boolean): boolean {
  if (lines.length === 0) return false;
  return added.length > 0 || (!isByLine && lines.length > 1);
}

/** All lines of a SKU, then what is added of it; `unsaid` are the lines of which too little is known. */
function wholeSku(reference: string, { lines, added }: SkuLines, { mayBeWeighed }: PickedOrder) {
  const said = lines.map(({ line, entry, isCertain }) => {
    if (entry !== null) return entry;
    return isCertain ? presentValues(line, reference, mayBeWeighed) : null;
  });
  const unsaid = lines.flatMap(({ line }, index) => (said[index] === null ? [line.line] : []));
  return { said: [...said.filter((entry) => entry !== null), ...added], unsaid };
}

/**
 * A line of the order as it is now, for a picking that leaves it out; null if that is not known exactly. What a
 * weighed item weighs is in no payload (rule 12), so its weight is known only as long as nothing was weighed, and the
 * charged amount agrees with it.
 */
function presentValues(line: OrderItem, skuExternalReference: string, mayBeWeighed: boolean): PickedLine | null {
  const unit = unitFrom(line.unitOfMeasure);
  const { orderedQuantity, approximateWeight, salePrice, gross, net } = line;
  if (unit === null || orderedQuantity === null || salePrice === null || net === null) return null;
  const value = unit === 'Un' ? String(orderedQuantity) : (approximateWeight?.value ?? null);
  if (value === null || !/^\d+(\.\d+)?$/.test(value) || (unit === 'Un' && !Number.isInteger(orderedQuantity)))
    return null;
  const isWeighed = mayBeWeighed || !isCentsOf(gross, moneyProduct(salePrice, value));
  if (unit !== 'Un' && isWeighed) return null;
  return {
    skuExternalReference,
    line: line.line,
    outcome: 'picked',
    substitutes: null,
    quantity: { value, unit },
    unitPrice: salePrice,
    total: net,
  };
}

/** Removed lines move those after them up: once more, the items would meet other lines of the SKU. */
function isSameAgain({ lines, added }: SkuLines): boolean {
  const isLeft = [...lines.map(({ entry }) => entry?.outcome !== 'missing'), ...added.map(() => true)];
  return isLeft.lastIndexOf(true) < isLeft.indexOf(false) || !isLeft.includes(false);
}

function itemsOf(
  named: readonly NamedLine[],
  whole: ReadonlyMap<string, readonly PickedLine[]>,
): readonly PickedLine[] {
  const reported = new Set(named.flatMap(({ entry, line }) => (isOfOrder(entry) ? [line] : [])));
  const posted = new Set<string>();
  const once = (sku: string, entry: PickedLine): readonly PickedLine[] => {
    const all = whole.get(sku);
    if (all === undefined) return [entry];
    if (posted.has(sku)) return [];
    posted.add(sku);
    return all;
  };
  return named.flatMap(({ entry, line }) => {
    const own = once(entry.skuExternalReference, atLine(entry, isOfOrder(entry) ? line : null));
    const reference = namedReference(entry);
    if (isOfOrder(entry) || line === null || reference === null || reported.has(line)) return own;
    reported.add(line);
    return [...own, ...once(reference, missingLine(reference, line))];
  });
}

function lineRequired(reference: string, lines: readonly number[], picked: readonly PickedLine[]): Problem {
  const at = picked.findIndex((entry) => [entry.skuExternalReference, entry.substitutes].includes(reference));
  const listed = lines.slice(0, MOST_LISTED).join(', ');
  const params = { ...quoted(reference), lines: lines.length > MOST_LISTED ? `${listed}, …` : listed };
  return { code: 'LINE_REQUIRED', field: `items[${at}].line`, skuExternalReference: reference, params };
}
