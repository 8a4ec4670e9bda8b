import type { ShownInvoice } from '@gondola/platform-client/read-answers';
import type { WireProfile } from '@gondola/platform-client/wire-profile';
import { type Finding, SEEN_OF_ORDER, type ShadowRow, WHY_NOT } from '@gondola/shared/shadow/shadow-verdict';
import {
  isPlainRecord,
  type JsonRecord,
  type JsonValue,
  stringifyWithDigits,
  tryParseWithDigits,
} from '@gondola/shared/json/json-digits';
import {
  CANCELLATION_ANALYSIS,
  CANCELLED_STATUSES,
  ORDER_INVOICED,
  orderStatusCode,
  VALUES_RECALCULATED,
} from '@gondola/shared/orders/order-statuses';
import { moneyText } from '@gondola/shared/units-and-money/money';
import { orderCommand } from '../commands/order-commands.ts';
import type { OrderItem } from '../facts/order-values.ts';

/** Statuses that only a connector, or somebody in its place, sets. */
export const SET_BY_CONNECTORS: ReadonlySet<number> = new Set([350, 400, 500, 600, 700, 900, 1000]);

/** An order as the shop shows it, and what the ERP asked of it. */
export interface ShownOrder {
  /** Each status that it had, and when that was seen first. */
  readonly statuses: ReadonlyMap<number, Date>;
  /** Names of its commands. */
  readonly commands: ReadonlySet<string>;
  /** Null if nothing was read. */
  readonly payload: {
    readonly price: string | null;
    readonly invoices: readonly ShownInvoice[];
    readonly items: readonly OrderItem[];
  } | null;
}

/** True for rows that are compared with the order's payload. */
export function needsPayload({ route }: ShadowRow): boolean {
  return route === 'putOrder' || route === 'putInvoiced';
}

/** Finding about a row of the order; undefined while nothing shows it. */
export function judgeOrder(
  row: ShadowRow,
  shown: ShownOrder,
  profile: Pick<WireProfile, 'pickingBody' | 'pickingItem'>,
): Finding | undefined {
  const body = row.body === null ? null : (tryParseWithDigits(row.body) ?? null);
  switch (row.route) {
    case SEEN_OF_ORDER.status:
      return isAskedFor(Number(row.body), shown.commands) ? { kind: 'explained' } : { kind: 'only-old' };
    case SEEN_OF_ORDER.created:
      return judgeCreated(shown);
    case 'patchOrderStatus':
      return seen(shown, statusIn(body));
    case 'cancelOrder':
      return seen(shown, CANCELLATION_ANALYSIS, ...CANCELLED_STATUSES);
    case 'putOrder':
      return judgePicking(isPlainRecord(body) ? body : {}, shown, profile);
    case 'putInvoiced':
      return judgeInvoice(isPlainRecord(body) ? body : {}, shown);
    default:
      return { kind: 'not-comparable', why: WHY_NOT.notShown };
  }
}

/** The ERP has taken an approved order once it asks for something, or once the order goes on. */
function judgeCreated({ statuses, commands }: ShownOrder): Finding {
  if (commands.size > 0 || [...SET_BY_CONNECTORS].some((status) => statuses.has(status))) return { kind: 'same' };
  return isCancelled(statuses) ? { kind: 'not-comparable', why: WHY_NOT.cancelled } : { kind: 'only-gondola' };
}

function seen({ statuses }: ShownOrder, ...wanted: readonly (number | null)[]): Finding {
  const at = wanted.flatMap((status) => (status === null ? [] : (statuses.get(status) ?? [])));
  const [first] = at.toSorted((one, other) => one.getTime() - other.getTime());
  if (first !== undefined) return { kind: 'same', seenAt: first };
  return isCancelled(statuses) ? { kind: 'not-comparable', why: WHY_NOT.cancelled } : { kind: 'only-gondola' };
}

/** The final price, and of each picked line its unit and its total; the shop shows no weight (docs/platform.md). */
function judgePicking(
  body: JsonRecord,
  { statuses, payload }: ShownOrder,
  { pickingBody, pickingItem }: Pick<WireProfile, 'pickingBody' | 'pickingItem'>,
): Finding | undefined {
  if (!statuses.has(VALUES_RECALCULATED)) return seen({ statuses, commands: new Set(), payload }, VALUES_RECALCULATED);
  if (payload === null) return undefined;
  const price = valueOf(body, pickingBody, '<FINAL_PRICE>');
  const items = valueOf(body, pickingBody, '<ITEMS>');
  const lines = (Array.isArray(items) ? items : []).filter(isPlainRecord).flatMap((line) => {
    const sku = valueOf(line, pickingItem, '<SKU>');
    const own = payload.items.filter((item) => item.skuExternalReference === sku);
    // A SKU on several lines, or one that is not known, cannot be told apart.
    if (own.length !== 1) return [];
    const [unit, total] = [valueOf(line, pickingItem, '<UNIT>'), valueOf(line, pickingItem, '<TOTAL>')];
    const { unitOfMeasure, gross } = own[0]!;
    const differs = differsFrom(unit, unitOfMeasure) || differsFrom(amountOf(total), amountOf(gross));
    return differs ? [{ sku, unitOfMeasure, total: gross }] : [];
  });
  if (!differsFrom(amountOf(price), amountOf(payload.price)) && lines.length === 0)
    return { kind: 'same', seenAt: statuses.get(VALUES_RECALCULATED)! };
  return { kind: 'another-value', found: stringifyWithDigits({ finalPrice: payload.price, items: lines }) };
}

/** The amount is in cents in the body, and in cents or in currency units in the payload. */
function judgeInvoice({ number, value }: JsonRecord, shown: ShownOrder): Finding | undefined {
  const { payload, statuses } = shown;
  if (payload === null) return undefined;
  const { invoices } = payload;
  if (invoices.length === 0) return seen(shown, ORDER_INVOICED).kind === 'same' ? notShown() : seen(shown, null);
  if (invoices.every((invoice) => invoice.number === null && invoice.value === null)) return notShown();
  const cents = Number(moneyText(value));
  const isSame = (invoice: ShownInvoice): boolean =>
    (invoice.number === null || invoice.number === textOf(number)) &&
    (invoice.value === null || [cents, cents / 100].includes(Number(invoice.value)));
  if (invoices.some(isSame)) return { kind: 'same', seenAt: statuses.get(ORDER_INVOICED) ?? null };
  return { kind: 'another-value', found: JSON.stringify(invoices) };
}

function notShown(): Finding {
  return { kind: 'not-comparable', why: WHY_NOT.notShown };
}

function isAskedFor(status: number, commands: ReadonlySet<string>): boolean {
  if (status === ORDER_INVOICED) return commands.has('RegisterInvoice');
  return [...commands].some((name) => orderCommand(name)?.target === status);
}

function isCancelled(statuses: ReadonlyMap<number, Date>): boolean {
  return [...CANCELLED_STATUSES].some((status) => statuses.has(status));
}

function statusIn(body: JsonValue): number | null {
  const texts = isPlainRecord(body) ? Object.values(body) : [];
  const codes = texts.map((text) => (typeof text === 'string' ? orderStatusCode(text) : null));
  return codes.find((code) => code !== null) ?? null;
}

/** Value under the key that a template of the wire profile gives a placeholder. */
function valueOf(body: JsonRecord, template: unknown, placeholder: string): JsonValue {
  const entries = typeof template === 'object' && template !== null ? Object.entries(template) : [];
  const key = entries.find(([, filled]) => filled === placeholder)?.[0];
  return key === undefined ? null : (body[key] ?? null);
}

/** A value that one side does not show is no difference. */
function differsFrom(one: JsonValue, other: JsonValue): boolean {
  return one !== null && other !== null && one !== other;
}

function amountOf(value: JsonValue): number | null {
  const text = moneyText(value);
  return text === null ? null : Number(text);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : stringifyWithDigits(value ?? null);
}
