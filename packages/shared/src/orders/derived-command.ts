import type { ContentReference } from '../files/content-reference.ts';
import type { JsonRecord } from '../json/json-digits.ts';
import { MAX_IDENTITY_LENGTH } from '../limits.ts';

const PDF_SUFFIX = '/pdf';
/** At most as long as the other suffix, so that an id that is valid with a PDF stays valid. */
const CHECK_SUFFIX = '/chk';

/**
 * Longest `commandId` of a command that derives another, in characters: the derived id must be a valid identity
 * too.
 */
export const MAX_PARENT_ID_LENGTH = MAX_IDENTITY_LENGTH - PDF_SUFFIX.length;

/**
 * Command of the order saga to the file gateway (contract, "File commands"). Its value does not repeat its headers.
 */
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

/**
 * Command by which the order saga asks the file gateway, before it registers an invoice, whether the PDF can be
 * attached (rule 33). It makes no call to the platform; its result is `applied` with `data: { sha256, size,
 * expiresAt }`, or `invalid` with the reason.
 */
export function checkInvoicePdfCommand(check: {
  readonly parentCommandId: string;
  readonly orderNumber: number;
  readonly content: ContentReference;
}): JsonRecord & { readonly commandId: string } {
  const { parentCommandId, orderNumber, content } = check;
  return {
    commandId: `${parentCommandId}${CHECK_SUFFIX}`,
    command: 'CheckInvoicePdf',
    orderNumber,
    content: { ...content },
    parentCommandId,
  };
}
