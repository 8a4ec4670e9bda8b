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

/** The item that says what was picked of a line. A missing line has a quantity and a total of 0. */
export function pickingItem(picked: PickedLine): PickingItem {
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
