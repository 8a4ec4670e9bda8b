import type { ContentReference } from './content-reference.ts';
import { MAX_IDENTITY_LENGTH } from './identities.ts';
import type { JsonRecord } from './json-digits.ts';

const PDF_SUFFIX = '/pdf';

/** Longest `commandId` of a command that derives another, in characters: the derived one has to be an identity too. */
export const MAX_PARENT_ID_LENGTH = MAX_IDENTITY_LENGTH - PDF_SUFFIX.length;

/** The command that the order saga sends to the file gateway (contract, "File commands"). Its value repeats nothing of its headers. */
export function uploadInvoicePdfCommand(upload: {
  readonly parentCommandId: string;
  readonly orderNumber: number;
  /** The order's GUID. */
  readonly orderId: string;
  readonly content: ContentReference;
}): JsonRecord & { readonly commandId: string } {
  const { parentCommandId, orderNumber, orderId, content } = upload;
  return {
    commandId: `${parentCommandId}${PDF_SUFFIX}`,
    command: 'UploadInvoicePdf',
    orderNumber,
    orderId,
    content: { ...content },
    parentCommandId,
  };
}
