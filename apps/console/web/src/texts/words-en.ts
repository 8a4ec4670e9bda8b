import type { SameKeys } from '@gondola/web-kit/texts/same-keys';
import type {
  ATTENTION_PT,
  CAUSES_PT,
  CHECKS_PT,
  COMMANDS_PT,
  OUTCOMES_PT,
  PARTIES_PT,
  STATUSES_PT,
} from './words-pt-br.ts';

export const STATUSES_EN: SameKeys<typeof STATUSES_PT> = {
  '250': 'Payment refused',
  '300': 'Payment approved',
  '350': 'Invoiced',
  '400': 'Being prepared',
  '500': 'Ready',
  '600': 'On its way',
  '700': 'Delivered',
  '750': 'Cancellation under review',
  '800': 'Cancelled',
  '900': 'Not delivered',
  '1000': 'Returned',
  '1100': 'Refund under way',
  '1200': 'Refunded',
  '1300': 'Values recalculated',
};

export const ATTENTION_EN: SameKeys<typeof ATTENTION_PT> = {
  PAID_NOTICE_MISSING: 'goes on in the shop, but the notice of its payment never came',
  NOT_PREPARED: 'approved, and its preparation has not begun',
  PICKING_UNCONFIRMED: 'picking was sent, and the platform has not recalculated',
  PDF_MISSING: 'the invoice is registered, and its PDF is missing',
  NOT_INVOICED: 'picked, and its invoice is not registered',
  CANCEL_UNFINISHED: 'the cancellation has not ended',
  REFUND_UNFINISHED: 'the refund has not ended',
};

export const PARTIES_EN: SameKeys<typeof PARTIES_PT> = {
  erp: 'the ERP',
  platform: 'the platform',
  gondola: 'Gondola',
  operator: 'you',
  engineer: 'the engineers',
};

export const COMMANDS_EN: SameKeys<typeof COMMANDS_PT> = {
  StartPreparation: 'start the preparation',
  ReportPicking: 'report what was picked',
  RegisterInvoice: 'register the invoice',
  AttachInvoicePdf: 'attach the invoice’s PDF',
  MarkReady: 'mark as ready',
  Ship: 'send it on its way',
  ConfirmDelivery: 'confirm the delivery',
  ReportDeliveryFailure: 'report a failed delivery',
  MarkReturned: 'record the return',
  CancelOrder: 'cancel the order',
  RefreshOrder: 'read the order again',
  ReleaseOrder: 'release the order',
  WithdrawCommand: 'withdraw a command',
};

export const OUTCOMES_EN: SameKeys<typeof OUTCOMES_PT> = {
  applied: 'done',
  unchanged: 'it was so already',
  refused: 'refused by the platform',
  invalid: 'invalid',
  superseded: 'replaced by a newer one',
  unconfirmed: 'not confirmed by the platform',
  withdrawn: 'withdrawn',
  waiting: 'waiting',
  corrected: 'corrected',
};

export const CHECKS_EN: SameKeys<typeof CHECKS_PT> = {
  database: 'database',
  kafka: 'Kafka',
  'notifications relay': 'sending to Kafka',
};

export const CAUSES_EN: SameKeys<typeof CAUSES_PT> = {
  NOT_JSON: 'The content is no valid JSON',
  FIELD_REQUIRED: 'A required field is missing',
  FIELD_TYPE: 'A field has the wrong type',
  LIMIT: 'A field exceeds its limit',
  ENTITY_UNKNOWN: 'The notice is about something that Gondola does not know',
  TENANT_UNKNOWN: 'The shop is missing or not known',
  TENANT_MISMATCH: 'The notice is of the account of another shop',
  NOT_STORABLE: 'The database refused the notice',
  IDENTITY_MISSING: 'The identity of the record is missing',
  RECORD_TOO_LARGE: 'The record is too large',
  BATCH_UNREADABLE: 'A batch of Kafka records could not be read',
  PROCESSING_FAILED: 'Gondola failed to process the record',
  UNIT_UNKNOWN: 'The unit of measure is not known',
  GTIN_INVALID: 'The bar code is not valid',
  NCM_INVALID: 'The NCM has not eight digits',
  FACTOR_MISSING: 'The step of the sale by weight is missing',
  CATEGORY_MISSING: 'The category is missing',
  TOO_MANY_DECIMALS: 'A value has too many decimals',
  SKU_UNKNOWN: 'The SKU is not known',
  SKU_AMBIGUOUS: 'The reference means more than one SKU',
  REFERENCE_MISSING: 'Something that the record names did not come in time',
  REFERENCE_IMMUTABLE: 'The reference of the SKU cannot change',
  REFERENCE_AMBIGUOUS: 'A reference occurs twice or contradicts itself',
  REFERENCE_IN_USE: 'There are still products that use the reference',
  REFERENCE_CYCLE: 'The categories form a cycle',
  SLUG_TAKEN: 'The slug belongs to another product',
  STALE_VERSION: 'The version is lower than the last one received',
  DUPLICATE_COMMAND: 'The identifier was used before with other content',
  COMMAND_UNKNOWN: 'The record refers to something that does not exist',
  FIELD_UNKNOWN: 'A field is not known',
  FIELD_READ_ONLY: 'A field is read-only',
  CONFIRM_REQUIRED: 'Lacks "confirm": true',
  PLATFORM_REFUSED: 'The platform refused the record',
  PLATFORM_SILENT: 'The platform did not confirm in time',
};
