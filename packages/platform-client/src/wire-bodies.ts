import {
  isDigits,
  isPlainRecord,
  type JsonRecord,
  type JsonValue,
  type Digits,
  stringifyWithDigits,
} from '@gondola/shared/json/json-digits';
import type { PickingItem } from '@gondola/shared/orders/picking-items';
import type { WireProfile } from './wire-profile.ts';

/** Bodies that the platform's document does not show, by the wire profile. Each is JSON text. */

/** Sets a status by its name (`PATCH /v1/Orders/{orderNumber}/status`). */
export function patchStatusBody(profile: WireProfile, statusName: string): string {
  return filled(profile.patchStatusBody, { '<NAME>': statusName });
}

/** Requests a cancellation (`POST /v1/Orders/{orderNumber}/cancel`). */
export function cancelBody(profile: WireProfile, reason: string): string {
  return filled(profile.cancelBody, { '<REASON>': reason });
}

/**
 * Reports the picking (`PUT /v1/Orders/{orderNumber}`), each number with the ERP's own digits (rule 21). The items
 * stay in their order.
 */
export function pickingBody(
  profile: WireProfile,
  picking: { readonly finalOrderPrice: number | Digits; readonly items: readonly PickingItem[] },
): string {
  const items = picking.items.flatMap((item) => fillTemplate(profile.pickingItem, itemValues(item)) ?? []);
  return filled(profile.pickingBody, { '<FINAL_PRICE>': picking.finalOrderPrice, '<ITEMS>': items });
}

/** True if a picked item says its line, so that the platform need not know it by its SKU alone. */
export function saysLines({ pickingItem }: Pick<WireProfile, 'pickingItem'>): boolean {
  return JSON.stringify(pickingItem).includes('<LINE>');
}

/** Templates of the fields that the wire profile adds to the ERP's data. */
export type FilledFields = WireProfile['pricingFields'];

/**
 * Data of a price, warehouse or stock for the platform: the ERP's fields unchanged, then those fields of the wire
 * profile that the ERP did not give and whose value is known (rule 30).
 */
export function filledData(data: JsonRecord, fields: FilledFields, values: TemplateValues): JsonRecord {
  const added = Object.entries(fields).flatMap(([key, template]): [string, JsonValue][] => {
    const value = Object.hasOwn(data, key) ? undefined : fillTemplate(template, values);
    return value === undefined ? [] : [[key, value]];
  });
  return { ...data, ...Object.fromEntries(added) };
}

/** The registration of a webhook (docs/platform.md, "Webhook registration"). */
export interface WebhookRegistration {
  /** URL for the notifications; the platform checks only that it is not empty. */
  readonly url: string;
  /** The platform sends it in `Authorization` with each delivery. */
  readonly authToken: string;
  /** The platform never delivers an event that is not listed. */
  readonly eventTypes: readonly string[];
}

/** Registers the webhook (`POST /v1/Webhooks`). The document shows this body in full, so no profile changes it. */
export function webhookBody({ url, authToken, eventTypes }: WebhookRegistration): string {
  return JSON.stringify({
    originType: 'Api_call',
    originData: 'gondola',
    url,
    authType: 'Bearer',
    authToken,
    eventTypes,
  });
}

function itemValues(item: PickingItem): TemplateValues {
  return {
    '<SKU>': item.skuExternalReference,
    '<QUANTITY>': item.quantity,
    '<UNIT>': item.unitOfMeasure,
    '<PRICE>': item.price,
    '<TOTAL>': item.total,
    '<LINE>': item.line,
    '<OUTCOME>': item.outcome,
    '<SUBSTITUTES>': item.substitutes,
  };
}

function filled(template: JsonValue, values: TemplateValues): string {
  return stringifyWithDigits(fillTemplate(template, values) ?? null);
}

/** Values of placeholders such as `<SKU>`; undefined: the placeholder has no value. */
export type TemplateValues = Readonly<Record<string, JsonValue | undefined>>;

/**
 * Fills a body of the wire profile. A text that consists of a placeholder becomes its value with the value's own
 * type and digits, and if there is no value the key or list entry is left out. Within a longer text a placeholder
 * becomes text. Inserted values are not searched for placeholders, so no value can change the structure of the
 * body.
 *
 * @returns undefined if the whole template is a placeholder without value
 */
export function fillTemplate(template: JsonValue, values: TemplateValues): JsonValue | undefined {
  if (typeof template === 'string') return fillText(template, values);
  if (Array.isArray(template)) {
    return template.map((item: JsonValue) => fillTemplate(item, values)).filter((item) => item !== undefined);
  }
  if (!isPlainRecord(template)) return template;
  const entries = Object.entries(template).map(([key, value]) => [key, fillTemplate(value, values)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

function fillText(text: string, values: TemplateValues): JsonValue | undefined {
  if (Object.hasOwn(values, text)) return values[text];
  return text.replaceAll(/<[A-Z_]+>/g, (placeholder) =>
    Object.hasOwn(values, placeholder) ? asText(values[placeholder]) : placeholder,
  );
}

function asText(value: JsonValue | undefined): string {
  if (isDigits(value)) return value.rawJSON;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
