import { isIdentityText } from '@gondola/shared/topics/identities';
import { type JsonRecord, type JsonValue, isPlainRecord } from '@gondola/shared/json/json-digits';
import { lineOf } from '@gondola/shared/orders/picked-item-errors';
import type { PickedLine, PickingOutcome } from '@gondola/shared/orders/picking-items';
import { type UnitName, unitFrom } from '@gondola/shared/units-and-money/units';

/** The items of a `ReportPicking` (contract, "Order commands"). */

type TenantUnits = Readonly<Record<string, UnitName>>;

export function pickedLines(items: readonly JsonRecord[], units: TenantUnits): PickedLine[] {
  return items.map((item) => ({
    skuExternalReference: isIdentityText(item['skuExternalReference']) ? item['skuExternalReference'] : '',
    line: lineOf(item),
    outcome: item['outcome'] as PickingOutcome,
    substitutes: typeof item['substitutes'] === 'string' ? item['substitutes'] : null,
    quantity: quantityOf(item['quantity'], units),
    unitPrice: item['unitPrice'] ?? null,
    total: item['total'] ?? null,
  }));
}

function quantityOf(quantity: JsonValue | undefined, units: TenantUnits): PickedLine['quantity'] {
  if (!isPlainRecord(quantity)) return null;
  const unit = unitFrom(quantity['unit'], units);
  return unit === null ? null : { value: quantity['value'] ?? null, unit };
}
