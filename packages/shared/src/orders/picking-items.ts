import { decimalTextToNumberToken } from '../json/digits.ts';
import type { Digits, JsonValue } from '../json/json-digits.ts';
import type { UnitName } from '../units-and-money/units.ts';

/**
 * Outcome of a line of the order, of its replacement, or of an addition (contract, "Order commands",
 * `ReportPicking`).
 */
export const PICKING_OUTCOMES = ['picked', 'missing', 'substitute', 'added'] as const;

export type PickingOutcome = (typeof PICKING_OUTCOMES)[number];

/** One checked entry of a `ReportPicking`; numbers as the ERP wrote them. */
export interface PickedLine {
  readonly skuExternalReference: string;
  /** Line of the order, if its SKU occurs twice. */
  readonly line: number | null;
  readonly outcome: PickingOutcome;
  /** Reference of the replaced SKU. */
  readonly substitutes: string | null;
  readonly quantity: { readonly value: JsonValue; readonly unit: UnitName } | null;
  readonly unitPrice: JsonValue;
  readonly total: JsonValue;
}

/**
 * One item to post, in the wire profile's terms: numbers with the ERP's own digits (rule 21), undefined if the ERP
 * gave none. The platform shows no further fields (platform document, "Orders").
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
 * Items to post for a picking, in the ERP's order. A missing line is reported with a quantity and a total of 0. So
 * is a replaced line that the command does not mention otherwise, right after its substitute: a line that is left
 * out would stay as ordered.
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
