import { parseRecord } from '@gondola/shared/json/json-digits';
import { type CommandReading, readCommandIdentity } from '@gondola/shared/commands/command-identity';
import type { ContentReference } from '@gondola/shared/files/content-reference';
import { fieldReason } from '@gondola/shared/fields/field-reasons';
import { invoiceRegistration } from '@gondola/shared/orders/invoice-registration';
import { type OrderCommand, readOrderCommand } from '@gondola/shared/orders/order-command';
import type { ReportPicking } from '@gondola/shared/orders/order-command-content';
import {
  ORDER_COMMAND_TARGETS,
  type OrderCommandName,
  isOrderCommandName,
  orderCommandQueue,
} from '@gondola/shared/orders/order-command-names';
import type { FieldReason, Language, Reason } from '@gondola/shared/results/reason-codes';
import type { UnitName } from '@gondola/shared/units-and-money/units';
import { commandLane } from './order-lane.ts';
import { readOrderNumber } from './read-notification.ts';

/** What says whose command it is and which; its content is judged in its turn. */
export function readOrderCommandIdentity(
  value: Uint8Array | null,
  about: { readonly tenantHeader: string | undefined; readonly tenants: readonly string[] },
): CommandReading {
  return readCommandIdentity(value, about, (record, { commandId, command }) => {
    const orderNumber = readOrderNumber(record['orderNumber']);
    return {
      lane: commandLane(orderNumber, commandId),
      queue: orderCommandQueue(command),
      entity: orderNumber === null ? null : { kind: 'order', orderNumber: Number(orderNumber) },
    };
  });
}

/** A command after validation (contract, "Order commands"). */
export type CommandContent =
  /** Sets a status by PATCH. */
  | { readonly kind: 'set-status'; readonly target: number }
  | { readonly kind: 'picking'; readonly picking: ReportPicking }
  /** `registration` is null where only a PDF is attached. */
  | {
      readonly kind: 'invoice';
      readonly registration: { readonly value: string; readonly body: string } | null;
      readonly pdf: ContentReference | null;
    }
  | { readonly kind: 'cancel'; readonly reason: string }
  /** Stopped by Gondola; `reason` is the first of what is wrong. */
  | { readonly kind: 'invalid'; readonly reason: Reason; readonly errors: readonly FieldReason[] };

/** Not carried out yet, although the contract has them. */
const PLANNED: ReadonlySet<string> = new Set<OrderCommandName>(['WithdrawCommand', 'RefreshOrder', 'ReleaseOrder']);

type TenantUnits = Readonly<Record<string, UnitName>>;

/** What a command whose identity was readable asks for. `units` are the tenant's names of units. */
export function readCommandContent(value: Uint8Array | null, language: Language, units: TenantUnits): CommandContent {
  const record = parseRecord(value) ?? {};
  const name = record['command'];
  if (isOrderCommandName(name) && PLANNED.has(name)) return notSupported(name, language);
  const reading = readOrderCommand(record, language, units);
  return reading.ok ? contentOf(reading.command, language) : invalid(reading.errors);
}

function contentOf(command: OrderCommand, language: Language): CommandContent {
  switch (command.command) {
    case 'ReportPicking':
      return { kind: 'picking', picking: command };
    case 'RegisterInvoice':
      return invoiceOf({ value: command.value, body: invoiceRegistration(command) }, command.pdf, language);
    case 'AttachInvoicePdf':
      return invoiceOf(null, command.pdf, language);
    case 'CancelOrder':
      return { kind: 'cancel', reason: command.reason };
    case 'WithdrawCommand':
    case 'RefreshOrder':
    case 'ReleaseOrder':
      return notSupported(command.command, language);
    default:
      return { kind: 'set-status', target: ORDER_COMMAND_TARGETS[command.command] };
  }
}

/** What cannot be attached is stopped before anything is registered (rule 33): today only uploads are content. */
function invoiceOf(
  registration: { readonly value: string; readonly body: string } | null,
  pdf: ContentReference | null,
  language: Language,
): CommandContent {
  if (pdf === null || 'uploadId' in pdf) return { kind: 'invoice', registration, pdf };
  const field = `pdf.${Object.keys(pdf)[0]}`;
  return invalid([fieldReason('CONTENT_NOT_ALLOWED', language, { field }, { hint: UPLOADS_ONLY[language] })]);
}

const UPLOADS_ONLY: Readonly<Record<Language, string>> = {
  'pt-BR': 'Envie o PDF para POST /uploads e informe o uploadId.',
  en: 'Send the PDF to POST /uploads and give its uploadId.',
};

const NOT_SUPPORTED: Readonly<Record<Language, (command: string) => string>> = {
  'pt-BR': (command) => `O comando "${command}" está previsto no contrato, mas esta versão ainda não o executa.`,
  en: (command) => `The command "${command}" is part of the contract, but this version does not carry it out yet.`,
};

function notSupported(command: string, language: Language): CommandContent {
  const hint = NOT_SUPPORTED[language](command);
  return invalid([fieldReason('COMMAND_UNKNOWN', language, { field: 'command' }, { hint })]);
}

function invalid(errors: readonly FieldReason[]): CommandContent {
  const [first] = errors;
  if (first === undefined) throw new Error('A command was invalid without an error');
  const { skuExternalReference: _none, ...reason } = first;
  return { kind: 'invalid', reason, errors };
}
