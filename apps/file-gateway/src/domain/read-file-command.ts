import { contentHash } from '@gondola/shared/files/content-hash';
import { isIdentityText, orderNumberText } from '@gondola/shared/topics/identities';
import { type JsonRecord, parseRecord } from '@gondola/shared/json/json-digits';
import type { ReasonCode } from '@gondola/shared/results/reason-codes';
import type { ResultEntity } from '@gondola/shared/results/result';
import { tenantOf } from '@gondola/shared/topics/tenant-of';

/**
 * The two kinds of lane: at most one change of a SKU's images, and one of an order's invoice file, is open at a time.
 */
export const LANE_KINDS = ['sku-images', 'order-invoice'] as const;

export type LaneKind = (typeof LANE_KINDS)[number];

/** What has to be readable of a command so that it can end in a result (contract, "Values"). */
export interface FileCommandIdentity {
  readonly tenant: string;
  readonly commandId: string;
  /** Its name as it was written; empty for what is no text. */
  readonly command: string;
  /** Whose turn it waits for. */
  readonly lane: { readonly kind: LaneKind; readonly identity: string };
  /** What its results are about; null where the command names nothing that can be read. */
  readonly entity: ResultEntity | null;
  readonly parentCommandId: string | null;
  /** Equal for a repeat (rule 19). */
  readonly contentHash: string;
}

export type FileCommandIdentityReading =
  | { readonly kind: 'command'; readonly identity: FileCommandIdentity }
  | { readonly kind: 'dead-letter'; readonly code: ReasonCode; readonly reason: string; readonly tenant?: string };

/**
 * Reads no more of a command than its identity: with it, whatever else is wrong ends in a result; without it, in a dead
 * letter.
 */
export function readFileCommandIdentity(
  value: Uint8Array | null,
  about: { readonly tenantHeader: string | undefined; readonly tenants: readonly string[] },
): FileCommandIdentityReading {
  const record = parseRecord(value);
  if (record === null) return { kind: 'dead-letter', code: 'NOT_JSON', reason: 'The value is not a JSON object' };
  const owner = tenantOf({ header: about.tenantHeader, field: record['tenant'], known: about.tenants });
  if (!owner.ok) {
    const { code, why, named } = owner;
    return { kind: 'dead-letter', code, reason: `The tenant is ${why}`, ...(named !== undefined && { tenant: named }) };
  }
  const { tenant } = owner;
  const { commandId, command } = record;
  if (!isIdentityText(commandId)) {
    return { kind: 'dead-letter', code: 'IDENTITY_MISSING', reason: 'commandId is not a usable text', tenant };
  }
  const name = isIdentityText(command) ? command : '';
  const identity = { tenant, commandId, command: name, contentHash: contentHash(record) };
  return { kind: 'command', identity: { ...identity, ...placeOf(record, commandId) } };
}

/** What a command is about, as far as it can be read. */
export function entityOf(record: JsonRecord): ResultEntity | null {
  const { skuExternalReference } = record;
  if (isIdentityText(skuExternalReference)) return { kind: 'sku', externalReference: skuExternalReference };
  const orderNumber = orderNumberText(record['orderNumber']);
  return orderNumber === null ? null : { kind: 'order', orderNumber: Number(orderNumber) };
}

export function parentCommandIdOf({ parentCommandId }: JsonRecord): string | null {
  return isIdentityText(parentCommandId) ? parentCommandId : null;
}

function placeOf(
  record: JsonRecord,
  commandId: string,
): Pick<FileCommandIdentity, 'lane' | 'entity' | 'parentCommandId'> {
  const entity = entityOf(record);
  return { lane: laneOf(entity, commandId), entity, parentCommandId: parentCommandIdOf(record) };
}

/** A command that names nothing waits for nobody: its lane is its own. */
function laneOf(entity: ResultEntity | null, commandId: string): FileCommandIdentity['lane'] {
  if (entity === null) return { kind: 'sku-images', identity: `command/${commandId}` };
  if ('orderNumber' in entity) return { kind: 'order-invoice', identity: String(entity.orderNumber) };
  return { kind: 'sku-images', identity: 'externalReference' in entity ? entity.externalReference : commandId };
}
