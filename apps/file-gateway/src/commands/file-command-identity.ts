import {
  type CommandPlace,
  type CommandReading,
  parseCommand,
  readCommandIdentity,
} from '@gondola/shared/commands/command-identity';
import type { CommandReportOptions } from '@gondola/lanes/commands/command-report';
import type { FileCommandName } from '@gondola/shared/files/file-command-content';
import { FILE_TYPES, fileTypeCode, type FileTypeCode } from '@gondola/shared/fields/file-types';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { ResultEntity } from '@gondola/shared/results/result';
import { isIdentityText, orderNumberText } from '@gondola/shared/topics/identities';
import type { TopicName } from '@gondola/shared/topics/topics';
import type { LaneKind } from '../lane-kinds.ts';

export const FILE_COMMANDS = 'erp.files.commands.v1' as const satisfies TopicName;
export const FILE_RESULTS = 'erp.files.results.v1' as const satisfies TopicName;

/** Sender of each command: the ERP, by the contract, or the order saga. */
export const COMMAND_SENDERS: Readonly<Record<FileCommandName, 'erp' | 'saga'>> = {
  PublishSkuImages: 'erp',
  UndoImageUpload: 'erp',
  ListFiles: 'erp',
  RemoveFiles: 'erp',
  RemoveAllFiles: 'erp',
  ReadInvoice: 'erp',
  CheckInvoicePdf: 'saga',
  UploadInvoicePdf: 'saga',
};

/** Counts final results only; `waiting` results are logged. */
export const FILE_COMMAND_REPORT: CommandReportOptions<'command' | 'outcome'> = {
  counter: {
    name: 'gondola_file_command_outcomes_total',
    help: 'Concluded file commands, by command and outcome.',
    labelNames: ['command', 'outcome'],
  },
  labelsOf: ({ final, outcome }, command) => (final ? { command, outcome } : null),
  isCommandName: (name) => Object.hasOwn(COMMAND_SENDERS, name),
};

/** Reads a command's tenant, id and lane. The content is validated when the lane reaches the command. */
export function readFileCommandIdentity(
  value: Uint8Array | null,
  about: { readonly tenantHeader: string | undefined; readonly tenants: readonly string[] },
): CommandReading {
  return readCommandIdentity(value, about, (record, { commandId }) => {
    const entity = entityOf(record);
    return { lane: laneOf(entity, commandId), entity, parentCommandId: parentCommandIdOf(record) };
  });
}

/** The entity of a command, as far as it can be read. */
function entityOf(record: JsonRecord): ResultEntity | null {
  const { skuExternalReference } = record;
  if (isIdentityText(skuExternalReference)) return { kind: 'sku', externalReference: skuExternalReference };
  const orderNumber = orderNumberText(record['orderNumber']);
  if (orderNumber !== null) return { kind: 'order', orderNumber: Number(orderNumber) };
  const { externalReference, fileType, entityId } = record;
  if (isIdentityText(externalReference)) return ownerOf(externalReference, fileTypeCode(fileType));
  return isIdentityText(entityId) ? { kind: 'file', entityId } : null;
}

/** The entity that owns files of this type. */
function ownerOf(externalReference: string, fileType: FileTypeCode | null): ResultEntity {
  if (fileType === FILE_TYPES.SKU) return { kind: 'sku', externalReference };
  if (fileType === FILE_TYPES.Category) return { kind: 'category', externalReference };
  if (fileType === FILE_TYPES.Product) return { kind: 'product', externalReference };
  const orderNumber = fileType === FILE_TYPES.Invoice ? orderNumberText(externalReference) : null;
  if (orderNumber !== null) return { kind: 'order', orderNumber: Number(orderNumber) };
  return { kind: 'file', entityId: externalReference };
}

/** The entity of a command's results, and the ERP's command that it was derived from. */
export function aboutFileCommand(value: Uint8Array | null): Pick<CommandPlace, 'entity' | 'parentCommandId'> {
  const record = parseCommand(value) ?? {};
  return { entity: entityOf(record), parentCommandId: parentCommandIdOf(record) };
}

function parentCommandIdOf({ parentCommandId }: JsonRecord): string | null {
  return isIdentityText(parentCommandId) ? parentCommandId : null;
}

/** A command without an entity has its own lane and waits for no other command. */
function laneOf(entity: ResultEntity | null, commandId: string): { kind: LaneKind; identity: string } {
  if (entity === null) return { kind: 'sku-images', identity: `command/${commandId}` };
  if ('orderNumber' in entity) return { kind: 'order-invoice', identity: String(entity.orderNumber) };
  if (entity.kind === 'sku') return { kind: 'sku-images', identity: entity.externalReference };
  return { kind: 'entity-files', identity: entityFilesIdentity(entity) };
}

/** An entity that is neither a SKU nor an order. */
export type FileEntity = Exclude<ResultEntity, { kind: 'sku' | 'order' }>;

/** Identity of the lane for an entity's files. */
export function entityFilesIdentity(entity: FileEntity): string {
  return 'entityId' in entity ? entity.entityId : `${entity.kind}/${entity.externalReference}`;
}
