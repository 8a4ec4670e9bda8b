// The shoppers' orders of a day and their fates, as a pure function of a seed.

/** Fates of an order; all are equally frequent. */
const FATES = [
  'delivered as ordered',
  'weighed and delivered',
  'delivered with a substitute',
  'delivered with a line missing',
  'not met at the door, and returned',
  'cancelled before it is prepared',
  'cancelled after it was weighed',
  'cancelled by the shop while it is prepared',
  'cancelled by the shop at once',
  'payment refused',
  'never paid',
] as const;
type Fate = (typeof FATES)[number];

export interface PlannedLine {
  readonly skuExternalReference: string;
  /** Units, or sale steps of 100 g. */
  readonly quantity: number;
  /** Cents per unit or kilogram. */
  readonly unitPrice: number;
  readonly isWeighed: boolean;
  /** Weight at the scales in grams; 300 g ordered may be 312. */
  readonly grams: number;
}

export interface PlannedOrder {
  readonly fate: Fate;
  readonly lines: readonly [PlannedLine, PlannedLine, ...PlannedLine[]];
  /** Cents. */
  readonly freight: number;
  readonly deliveryType: 'scheduled' | 'express' | 'pickup';
  /** Hours of a scheduled delivery; some are over midnight. */
  readonly window: { readonly start: string; readonly end: string };
  /** Replaces a missing line. */
  readonly substitute: PlannedLine;
}

const PICKED_FATES: ReadonlySet<Fate> = new Set([
  'weighed and delivered',
  'delivered with a substitute',
  'delivered with a line missing',
  'not met at the door, and returned',
  'cancelled after it was weighed',
]);
const UNITS = ['1078-1', '1147-1', '1208-1', '1210-1', '1128-1'] as const;
const SUBSTITUTE = '1111-1';
const WEIGHED = ['4711-1', '4712-1', '4713-1'] as const;
const GRAMS_PER_STEP = 100;
const DELIVERY_TYPES = ['scheduled', 'express', 'pickup'] as const;
const WINDOWS = [
  { start: '08:00', end: '12:00' },
  { start: '22:00', end: '02:00' },
] as const;
/** Status in which an order of each fate ends. */
const ENDS: Readonly<Record<Fate, number>> = {
  'delivered as ordered': 700,
  'weighed and delivered': 700,
  'delivered with a substitute': 700,
  'delivered with a line missing': 700,
  'not met at the door, and returned': 1000,
  'cancelled before it is prepared': 800,
  'cancelled after it was weighed': 800,
  'cancelled by the shop while it is prepared': 800,
  'cancelled by the shop at once': 800,
  'payment refused': 250,
  'never paid': 100,
};

/** Items of the largest order of a day: more than an event holds, and than a command may name. */
const MANY_ITEMS = 5_000;
/** Place of this order, which is weighed, invoiced and delivered. */
const LARGEST_ORDER = FATES.indexOf('weighed and delivered');

/** Orders of a day; one of them has thousands of items. `draw` returns a whole number from 0 to below its argument. */
export function planDay(orders: number, draw: (below: number) => number): PlannedOrder[] {
  const cents = (from: number, to: number): number => from + draw(to - from + 1);
  const unitLine = (skuExternalReference: string): PlannedLine => {
    return { skuExternalReference, quantity: cents(1, 5), unitPrice: cents(1, 9_999), isWeighed: false, grams: 0 };
  };
  const weighedLine = (skuExternalReference: string): PlannedLine => {
    const quantity = cents(1, 20);
    // The weight differs from the ordered one by up to a tenth, as at every counter.
    const grams = quantity * GRAMS_PER_STEP + cents(-9, 12) * quantity;
    return { skuExternalReference, quantity, unitPrice: cents(99, 19_999), isWeighed: true, grams };
  };
  return Array.from({ length: orders }, (_, index) => {
    const [first, ...others] = UNITS.slice(draw(UNITS.length - 1));
    const weighed = WEIGHED[draw(WEIGHED.length)]!;
    const lines = [weighedLine(weighed), unitLine(first!)] as const;
    // A shopper buys the same again, at another price.
    const again = [...others.slice(0, 1).map(unitLine), unitLine(first!), weighedLine(weighed)];
    const more = again.slice(0, draw(again.length + 1));
    const rest = index === LARGEST_ORDER ? MANY_ITEMS - lines.length - more.length : 0;
    const many = Array.from({ length: rest }, (_, n) => unitLine(UNITS[n % UNITS.length]!));
    return {
      fate: FATES[index % FATES.length]!,
      lines: [...lines, ...more, ...many],
      freight: draw(3) === 0 ? 0 : cents(1, 2_500),
      deliveryType: DELIVERY_TYPES[draw(DELIVERY_TYPES.length)]!,
      window: WINDOWS[draw(WINDOWS.length)]!,
      substitute: unitLine(SUBSTITUTE),
    };
  });
}

/** Price of a line as ordered or, if weighed, by its weight at the scales; cents. */
export function lineCents({ quantity, unitPrice, isWeighed, grams }: PlannedLine): number {
  return isWeighed ? Math.round((grams * unitPrice) / 1_000) : quantity * unitPrice;
}

/** True for the order of which an event holds only some of the items. */
export function isTooLargeForEvents({ lines }: PlannedOrder): boolean {
  return lines.length === MANY_ITEMS;
}

/** Status in which the order ends at the shop. */
export function finalStatus({ fate }: PlannedOrder): number {
  return ENDS[fate];
}

/** True if the picker reports changes of the order. */
export function isPicked({ fate }: PlannedOrder): boolean {
  return PICKED_FATES.has(fate);
}

/** Final price of the whole order, as ordered or as picked; cents. */
export function finalCents(order: PlannedOrder): number {
  const { lines, freight } = order;
  if (isPicked(order)) return centsOf(pickingOf(order).finalOrderPrice);
  const asOrdered = lines.map((line) => ({ ...line, grams: line.quantity * GRAMS_PER_STEP }));
  return asOrdered.reduce((sum, line) => sum + lineCents(line), freight);
}

/** Items of a `ReportPicking`, and the resulting price of the whole order. */
export interface Picking {
  readonly finalOrderPrice: string;
  readonly items: readonly object[];
}

/** The picker's report: real weights, and the last line missing or replaced if the order's fate requires it. */
export function pickingOf({ fate, lines, freight, substitute }: PlannedOrder): Picking {
  const gone =
    fate === 'delivered with a line missing' || fate === 'delivered with a substitute' ? lines.at(-1)! : null;
  const replacement = fate === 'delivered with a substitute' ? substitute : null;
  const stays = lines.filter((line) => line !== gone);
  // A reference on several lines says nothing without its line.
  const lineOf = (line: PlannedLine): object => {
    const isRepeated = lines.filter((each) => each.skuExternalReference === line.skuExternalReference).length > 1;
    return isRepeated ? { line: lines.indexOf(line) + 1 } : {};
  };
  const items = [
    ...stays.filter(({ isWeighed }) => isWeighed).map((line) => picked(line, { outcome: 'picked', ...lineOf(line) })),
    ...(gone === null || replacement !== null
      ? []
      : [{ skuExternalReference: gone.skuExternalReference, outcome: 'missing', ...lineOf(gone) }]),
    ...(gone === null || replacement === null
      ? []
      : [picked(replacement, { outcome: 'substitute', substitutes: gone.skuExternalReference, ...lineOf(gone) })]),
  ];
  const all = replacement === null ? stays : [...stays, replacement];
  const total = all.reduce((sum, line) => sum + lineCents(line), freight);
  return { finalOrderPrice: moneyText(total), items };
}

function picked(line: PlannedLine, how: object): object {
  const { skuExternalReference, unitPrice, isWeighed, grams, quantity } = line;
  return {
    skuExternalReference,
    ...how,
    quantity: isWeighed ? { value: String(grams / 1_000), unit: 'KG' } : { value: String(quantity), unit: 'UN' },
    unitPrice: moneyText(unitPrice),
    total: moneyText(lineCents(line)),
  };
}

/** Cents as decimal text. */
export function moneyText(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

/** Decimal text, or a number as the shop shows it, in cents. */
export function centsOf(amount: string | number): number {
  const [whole = '', fraction = ''] = String(amount).split('.');
  return Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'));
}
