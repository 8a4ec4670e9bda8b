import type { Behaviour } from '../switches/behaviour.ts';
import { BodyFields, textNotEmpty, type Reading } from '../values/body-fields.ts';
import { isJsonArray, numberOf, type Json } from '../values/exact-json.ts';
import { isSubscribable } from './event-names.ts';

/** A webhook as it is registered; nothing alters it afterwards. */
export interface WebhookRegistration {
  readonly originType: 'User' | 'Api_call';
  readonly originData: string;
  readonly url: string;
  readonly authType: string | null;
  /** Goes into the `Authorization` header of each delivery as it is. */
  readonly authToken: string | null;
  readonly eventTypes: readonly string[];
}

/**
 * Reads the body of `POST /v1/Webhooks` (docs/platform.md, "Webhook registration"; Errors). The url is only checked for
 * being non-empty, and
 * `authType` is not checked at all: the document lists no error for either.
 */
export function readRegistration(body: Json): Reading<WebhookRegistration> {
  const fields = new BodyFields(body);
  const registration = {
    originType: fields.field('originType', originTypeOf, 'must be User (1) or Api_call (2)'),
    originData: fields.field('originData', textNotEmpty, 'must not be empty'),
    url: fields.field('url', textNotEmpty, 'must not be empty'),
    authType: fields.field('authType', textOrNull, 'is a text'),
    authToken: fields.field('authToken', textOrNull, 'is a text'),
    eventTypes: fields.field('eventTypes', listOrNone, 'must be a list of event names'),
  };
  for (const [index, name] of (registration.eventTypes ?? []).entries()) {
    if (isSubscribable(name)) continue;
    fields.problems.push({ field: `eventTypes[${index}]`, message: `${JSON.stringify(name)} is no event name` });
  }
  return fields.reading(registration as WebhookRegistration);
}

function textOrNull(value: Json | undefined): string | null {
  return textNotEmpty(value) ?? null;
}

function originTypeOf(value: Json | undefined): WebhookRegistration['originType'] | undefined {
  if (value === 'User' || numberOf(value) === 1) return 'User';
  return value === 'Api_call' || numberOf(value) === 2 ? 'Api_call' : undefined;
}

function listOrNone(value: Json | undefined): readonly Json[] | undefined {
  if (value === undefined || value === null) return [];
  return isJsonArray(value) ? value : undefined;
}

/**
 * Headers of a delivery: the token as it was registered, or with its scheme in front where the switch says so, and
 * nothing that identifies the delivery (docs/platform.md, "Authentication" 4).
 */
export function deliveryHeaders(
  { authType, authToken }: Pick<WebhookRegistration, 'authType' | 'authToken'>,
  { authorization }: Pick<Behaviour, 'authorization'>,
): Record<string, string> {
  const contentType = { 'content-type': 'application/json; charset=utf-8' };
  if (authToken === null) return contentType;
  const scheme = authorization === 'with-scheme' && authType !== null ? `${authType} ` : '';
  return { ...contentType, authorization: `${scheme}${authToken}` };
}
