import { CATALOG_CONTROL_FIELDS, CATALOG_OPS, type CatalogOp } from './catalog-control.dto.ts';
import { integerTextOf } from '../json/digits.ts';
import { brokenConstraints } from '../fields/broken-constraints.ts';
import { brokenReason, fieldReason, given, listed, nearestHint } from '../fields/field-reasons.ts';
import { climbsPaths } from '../topics/identities.ts';
import type { JsonRecord, JsonValue } from '../json/json-digits.ts';
import { longNumberErrors } from '../fields/long-numbers.ts';
import { PRODUCT_FIELDS } from './product-record.dto.ts';
import type { FieldReason, Language } from '../outcomes/reason-codes.ts';

/** A catalog record, divided into its control keys and its content. */
export interface CatalogRecord {
  readonly op: CatalogOp;
  /** The ERP's own id of the record; null if absent or invalid. */
  readonly recordId: string | null;
  /** Rises with each change in the ERP; null if absent. */
  readonly sourceVersion: bigint | null;
  /** True: send the record even if nothing changed. */
  readonly force: boolean;
  readonly loadId: string | null;
  /** The record without its control keys; all other keys are unchanged. */
  readonly content: JsonRecord;
  /**
   * Errors of the control keys, numbers that are too long anywhere in the record, and a reference that climbs
   * paths; with any of these the record is `invalid`.
   */
  readonly errors: readonly FieldReason[];
}

/**
 * Reads the control keys of a catalog record. An unknown `op` is `COMMAND_UNKNOWN`; an invalid key is reported in
 * `errors` and read as absent. The tenant is checked elsewhere (`tenant-of`).
 */
export function readCatalogRecord(record: JsonRecord, language: Language): CatalogRecord {
  const broken = brokenConstraints(CATALOG_CONTROL_FIELDS, record, 'update');
  const errors = Array.from(broken, ([field, constraint]) =>
    brokenReason(
      constraint,
      language,
      { field },
      {
        spec: CATALOG_CONTROL_FIELDS[field as keyof typeof CATALOG_CONTROL_FIELDS],
        value: record[field],
      },
    ),
  );
  const good = (field: string): JsonValue => (broken.has(field) ? null : (record[field] ?? null));
  const op = textOrNull(good('op')) ?? 'upsert';
  if (!isOp(op)) errors.push(unknownOp(op, language));
  const version = broken.has('sourceVersion') ? null : integerTextOf(record['sourceVersion']);
  const { externalReference } = record;
  // Checked here because records that deactivate or read a product are not checked against its table.
  if (typeof externalReference === 'string' && climbsPaths(externalReference)) {
    const spec = PRODUCT_FIELDS.externalReference;
    errors.push(brokenReason('limit', language, { field: 'externalReference' }, { spec, value: externalReference }));
  }
  const long = longNumberErrors(record, language);
  const content = Object.entries(record).filter(([key]) => !Object.hasOwn(CATALOG_CONTROL_FIELDS, key));
  return {
    op: isOp(op) ? op : 'upsert',
    recordId: textOrNull(good('recordId')),
    sourceVersion: version === null ? null : BigInt(version),
    force: good('force') === true,
    loadId: textOrNull(good('loadId')),
    content: Object.fromEntries(content),
    errors: long.length > 0 ? listed(long, language) : errors,
  };
}

function isOp(op: string): op is CatalogOp {
  return (CATALOG_OPS as readonly string[]).includes(op);
}

function unknownOp(op: string, language: Language): FieldReason {
  const hint = nearestHint(op, CATALOG_OPS, language);
  return fieldReason('COMMAND_UNKNOWN', language, { field: 'op' }, { params: given(op, language), hint });
}

function textOrNull(value: JsonValue): string | null {
  return typeof value === 'string' ? value : null;
}
