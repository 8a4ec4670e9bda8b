import { decimalTextToNumberToken } from '../fields/digits.ts';
import type { Digits, JsonValue } from '../json/json-digits.ts';
import type { UnitName } from '../units-and-money/units.ts';

/**
 * What became of a line of the order, or of what came instead or beside (contract, "Order commands", `ReportPicking`).
 */
export const PICKING_OUTCOMES = ['picked', 'missing', 'substitute', 'added'] as const;

export type PickingOutcome = (typeof PICKING_OUTCOMES)[number];

/** One entry of a `ReportPicking`, as it was judged; numbers as the ERP wrote them. */
export interface PickedLine {
  readonly skuExternalReference: string;
  /** The line of the order, where its SKU occurs twice. */
  readonly line: number | null;
  readonly outcome: PickingOutcome;
  /** The replaced SKU's reference. */
  readonly substitutes: string | null;
  readonly quantity: { readonly value: JsonValue; readonly unit: UnitName } | null;
  readonly unitPrice: JsonValue;
  readonly total: JsonValue;
}

/**
 * One item as it is posted, in the wire profile's words: numbers with the ERP's own digits (rule 21), undefined where
 * the ERP gave none. The platform shows no further fields (platform document, "Orders").
 */
export interface PickingItem {
  readonly skuExternalReference: string;
  readonly line: number | undefined;
  readonly outcome: PickingOutcome;
  readonly substitutes: string | undefined;
  readonly quantity: number | Digits | undefined;
  readonly unitOfMeasure: UnitName | undefined;
  readonly price: number | Digits | undefined;
  readonly total: number | Digits | undefined;
}

/**
 * The items to post for what was picked, in the ERP's order. What is missing is told as a quantity and a total of 0; so
 * is a replaced line of which the command says nothing else, right after its substitute: a line that is left out would
 * stay as it was ordered.
 */
export function pickingItems(lines: readonly PickedLine[]): PickingItem[] {
  return lines.flatMap((line) => {
    const replaced = replacedLine(line, lines);
    return replaced === null ? [itemOf(line)] : [itemOf(line), itemOf(replaced)];
  });
}

function replacedLine({ outcome, substitutes, line }: PickedLine, lines: readonly PickedLine[]): PickedLine | null {
  if (outcome !== 'substitute' || substitutes === null) return null;
  const isTold = lines.some(
    (other) =>
      other.skuExternalReference === substitutes &&
      (other.outcome === 'picked' || other.outcome === 'missing') &&
      (other.line === null || line === null || other.line === line),
  );
  if (isTold) return null;
  const nothing = { substitutes: null, quantity: null, unitPrice: null, total: null };
  return { ...nothing, skuExternalReference: substitutes, line, outcome: 'missing' };
}

function itemOf(picked: PickedLine): PickingItem {
  const isMissing = picked.outcome === 'missing';
  return {
    skuExternalReference: picked.skuExternalReference,
    line: picked.line ?? undefined,
    outcome: picked.outcome,
    substitutes: picked.substitutes ?? undefined,
    quantity: isMissing ? 0 : numberOf(picked.quantity?.value),
    unitOfMeasure: picked.quantity?.unit,
    price: numberOf(picked.unitPrice),
    total: isMissing ? 0 : numberOf(picked.total),
  };
}

function numberOf(value: JsonValue | undefined): number | Digits | undefined {
  return decimalTextToNumberToken(value) ?? undefined;
}
