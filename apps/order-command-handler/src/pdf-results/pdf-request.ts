import type { OutRecord } from '@gondola/kafka/records/record-codec';
import type { ContentReference } from '@gondola/shared/files/content-reference';
import { checkInvoicePdfCommand, uploadInvoicePdfCommand } from '@gondola/shared/orders/derived-command';
import { derivedCommandKey } from '@gondola/shared/topics/dedup-keys';
import { subjectOf } from '@gondola/shared/topics/identities';

/**
 * A command for file-gateway, published like an event; without the order's GUID it only checks the PDF.
 */
export interface PdfRequest {
  readonly commandId: string;
  readonly orderId: string | null;
  readonly content: ContentReference;
}

/**
 * The command that requests file-gateway to check or attach the PDF, as a record for
 * `erp.files.commands.v1`: keyed and partitioned like an ERP's, by the order's number (contract, "Headers on what
 * Gondola writes").
 */
export function pdfRecord(
  { commandId: parentCommandId, orderId, content }: PdfRequest,
  about: {
    readonly tenant: string;
    /** When the command came that asks for it, in milliseconds since 1970: it is the record's time, too. */
    readonly cameAt: number;
    readonly orderNumber: string;
    readonly traceparent: string;
  },
): OutRecord {
  const { tenant, cameAt, orderNumber, traceparent } = about;
  const asked = { parentCommandId, orderNumber: Number(orderNumber), content };
  const command = orderId === null ? checkInvoicePdfCommand(asked) : uploadInvoicePdfCommand({ ...asked, orderId });
  return {
    topic: 'erp.files.commands.v1',
    key: orderNumber,
    id: derivedCommandKey(tenant, command.commandId),
    type: orderId === null ? 'CheckInvoicePdf' : 'UploadInvoicePdf',
    time: new Date(cameAt).toISOString(),
    cameAt,
    tenant,
    subject: subjectOf({ kind: 'order', identity: orderNumber }),
    commandId: command.commandId,
    traceparent,
    value: Buffer.from(JSON.stringify(command)),
  };
}
