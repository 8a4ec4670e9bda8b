import type { SaidCommand } from '@gondola/lanes/commands/commands';
import { type JsonRecord, type JsonValue, parseRecord } from '@gondola/shared/json/json-digits';
import { moneyProduct, moneyText } from '@gondola/shared/units-and-money/money';
import { quantityText } from '@gondola/shared/units-and-money/quantity';
import { filledText, recordOf, recordsOf, textOf } from '../facts/platform-fields.ts';
import type { SentInvoice } from '../orders/which-invoice.ts';

export interface AskedLine {
  readonly sku: string;
  readonly isMissing: boolean;
  readonly quantity: string | null;
  readonly unit: string | null;
  /** Cost of the line: as it was said, or by its price and quantity. */
  readonly cost: string | null;
}

/** The last words of the ERP about an order; `by` is the command and how it ended. Null: nothing. */
export interface AskedFigures {
  readonly picking: { readonly by: string; readonly price: string | null; readonly lines: readonly AskedLine[] } | null;
  readonly invoice: { readonly by: string; readonly number: string | null; readonly value: string | null } | null;
  /** The command that gave the invoice's PDF. */
  readonly pdf: string | null;
}

/** The commands that say figures of an order. */
export const AUDITED_COMMANDS = ['ReportPicking', 'RegisterInvoice', 'AttachInvoicePdf'];

/**
 * Reads what the ERP's commands said, the last of each kind, however it ended: a refused one is what its books have. A
 * withdrawn one was never meant. `sent` are the invoices that commands have sent, which outlive the commands.
 */
export function askedFigures(commands: readonly SaidCommand[], sent: readonly SentInvoice[]): AskedFigures {
  const said = commands.flatMap(({ value, outcome, command, commandId }) =>
    outcome === 'withdrawn'
      ? []
      : { command, by: `${command} ${commandId}: ${outcome ?? 'open'}`, record: parseRecord(value) ?? {} },
  );
  const picking = said.findLast(({ command }) => command === 'ReportPicking');
  const invoice = said.findLast(({ command }) => command === 'RegisterInvoice');
  const { invoice: registered = null } = sent.findLast(({ isRegistered }) => isRegistered) ?? {};
  return {
    picking: picking === undefined ? null : pickingOf(picking.by, picking.record),
    invoice: invoice === undefined ? registered && { by: '', ...registered } : invoiceOf(invoice.by, invoice.record),
    pdf: said.findLast(({ record }) => (record['pdf'] ?? null) !== null)?.by ?? null,
  };
}

/** A SKU of which an entry names the line is on several lines, and others of these may stay as ordered. */
function pickingOf(by: string, { finalOrderPrice, items }: JsonRecord): AskedFigures['picking'] {
  const entries = recordsOf(items);
  const several = new Set(entries.flatMap((entry) => ((entry['line'] ?? null) === null ? [] : lineOf(entry).sku)));
  const lines = entries.map(lineOf).filter(({ sku }) => !several.has(sku));
  return { by, price: moneyText(finalOrderPrice), lines };
}

function invoiceOf(by: string, { number, value }: JsonRecord): AskedFigures['invoice'] {
  return { by, number: textOf(number), value: moneyText(value) };
}

function lineOf({ skuExternalReference, outcome, quantity, unitPrice, total }: JsonRecord): AskedLine {
  const { value, unit }: Readonly<Record<string, JsonValue>> = recordOf(quantity);
  return {
    sku: textOf(skuExternalReference) ?? '',
    isMissing: outcome === 'missing',
    quantity: quantityText(value),
    unit: filledText(unit),
    cost: moneyText(total) ?? moneyProduct(unitPrice, value),
  };
}
