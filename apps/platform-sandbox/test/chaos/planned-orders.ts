import { between, oneOf, type Dice } from './dice.ts';

/** A line of a basket; `quantity` in the unit of measure, decimal text. */
export interface Line {
  readonly skuExternalReference: string;
  readonly quantity: string;
  readonly unitPriceCents: number;
}

interface Picking {
  readonly lines: readonly Line[];
  readonly finalPriceCents: number;
}

/** One step that the merchant wants for an order. */
export type Step =
  | { readonly kind: 'status'; readonly name: string; readonly status: number }
  | { readonly kind: 'pick'; readonly picking: Picking }
  | { readonly kind: 'invoice'; readonly number: string }
  | { readonly kind: 'file' }
  | { readonly kind: 'cancel' };

export interface PlannedOrder {
  readonly lines: readonly Line[];
  readonly payment: 'approved' | 'refused' | 'pending';
  readonly steps: readonly Step[];
}

const PREPARE: Step = { kind: 'status', name: 'ORDER_BEING_PREPARED', status: 400 };
const SHIP: Step = { kind: 'status', name: 'SHIPPED', status: 600 };
const DELIVER: Step = { kind: 'status', name: 'DELIVERED', status: 700 };
const RETURN: Step = { kind: 'status', name: 'ORDER_RETURNED', status: 1000 };

/**
 * Orders that are delivered, cancelled or returned, some of them picked and invoiced before; and some that are
 * never paid.
 */
export function plannedOrders(dice: Dice, count: number): PlannedOrder[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `order ${index}`;
    const payment = paymentOf(dice(`${name}:payment`));
    const lines = linesOf(dice, name);
    return { lines, payment, steps: payment === 'approved' ? stepsOf(dice, name, index, lines) : [] };
  });
}

function paymentOf(roll: number): PlannedOrder['payment'] {
  if (roll < 0.1) return 'refused';
  return roll < 0.15 ? 'pending' : 'approved';
}

function stepsOf(dice: Dice, name: string, index: number, lines: readonly Line[]): Step[] {
  const ending = oneOf(dice, `${name}:ending`, ['deliver', 'deliver', 'return', 'cancel', 'cancel-early']);
  if (ending === 'cancel-early') return [{ kind: 'cancel' }];
  const steps: Step[] = [PREPARE];
  if (dice(`${name}:picked`) < 0.4) steps.push({ kind: 'pick', picking: pickingOf(dice, name, lines) });
  if (ending === 'cancel') return [...steps, { kind: 'cancel' }];
  if (dice(`${name}:invoiced`) < 0.4) steps.push({ kind: 'invoice', number: `nf-${index}` }, { kind: 'file' });
  steps.push(SHIP, DELIVER);
  return ending === 'return' ? [...steps, RETURN] : steps;
}

function linesOf(dice: Dice, name: string): Line[] {
  const weight = between(dice, `${name}:grams`, 100, 2_499);
  const lines: Line[] = [
    {
      skuExternalReference: 'by-weight',
      // Never a whole number, which would count sale steps.
      quantity: (weight % 1_000 === 0 ? weight + 1 : weight)
        .toString()
        .padStart(4, '0')
        .replace(/(...)$/, '.$1'),
      unitPriceCents: between(dice, `${name}:price`, 500, 9_999),
    },
  ];
  if (dice(`${name}:jar`) < 0.6) {
    const quantity = String(between(dice, `${name}:jars`, 1, 9));
    lines.push({
      skuExternalReference: 'by-unit',
      quantity,
      unitPriceCents: between(dice, `${name}:jar price`, 1, 999),
    });
  }
  return lines;
}

/** The picked quantities; some customers are charged less than the sum of the lines. */
function pickingOf(dice: Dice, name: string, lines: readonly Line[]): Picking {
  const picked = lines.map((line, position) =>
    line.skuExternalReference === 'by-unit'
      ? line
      : { ...line, quantity: `0.${between(dice, `${name}:picked ${position}`, 101, 999)}` },
  );
  const sum = picked.reduce((total, line) => total + lineCents(line), 0);
  return { lines: picked, finalPriceCents: sum - between(dice, `${name}:rebate`, 0, Math.min(sum, 50)) };
}

/** Price × quantity in cents, rounded half up, in integers as money is counted. */
export function lineCents({ quantity, unitPriceCents }: Line): number {
  const [whole = '0', fraction = ''] = quantity.split('.');
  const scale = 10n ** BigInt(fraction.length);
  const product = BigInt(whole + fraction) * BigInt(unitPriceCents);
  return Number((product * 2n + scale) / (scale * 2n));
}
