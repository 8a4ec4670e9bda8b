import { isJsonArray, isJsonObject, keyOf, numberOf, type Json, type JsonObject } from '../exact-json.ts';
import type { FieldProblem } from '../field-problem.ts';
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

export type RegistrationReading =
  | { readonly kind: 'valid'; readonly registration: WebhookRegistration }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

/**
 * Reads the body of `POST /v1/Webhooks` (docs/platform.md, "Webhook registration"; Errors). The url is only checked for
 * being non-empty, and
 * `authType` is not checked at all: the document lists no error for either.
 */
export function readRegistration(body: Json): RegistrationReading {
  const given: JsonObject = isJsonObject(body) ? body : {};
  const originType = originTypeOf(keyOf(given, 'originType'));
  const originData = nonEmptyText(given, 'originData');
  const url = nonEmptyText(given, 'url');
  const eventTypes = keyOf(given, 'eventTypes') ?? [];
  const problems: FieldProblem[] = [];
  if (originType === undefined) problems.push({ field: 'originType', message: 'must be User (1) or Api_call (2)' });
  if (originData === undefined) problems.push({ field: 'originData', message: 'must not be empty' });
  if (url === undefined) problems.push({ field: 'url', message: 'must not be empty' });
  problems.push(...eventTypeProblems(eventTypes));
  if (originType === undefined || originData === undefined || url === undefined || problems.length > 0) {
    return { kind: 'invalid', problems };
  }
  return {
    kind: 'valid',
    registration: {
      originType,
      originData,
      url,
      authType: nonEmptyText(given, 'authType') ?? null,
      authToken: nonEmptyText(given, 'authToken') ?? null,
      eventTypes: isJsonArray(eventTypes) ? eventTypes.filter(isSubscribable) : [],
    },
  };
}

function originTypeOf(value: Json | undefined): WebhookRegistration['originType'] | undefined {
  if (value === 'User' || numberOf(value) === 1) return 'User';
  return value === 'Api_call' || numberOf(value) === 2 ? 'Api_call' : undefined;
}

function eventTypeProblems(eventTypes: Json): FieldProblem[] {
  if (!isJsonArray(eventTypes)) return [{ field: 'eventTypes', message: 'must be a list of event names' }];
  return eventTypes.flatMap((name, index) =>
    isSubscribable(name)
      ? []
      : [{ field: `eventTypes[${index}]`, message: `${JSON.stringify(name)} is no event name` }],
  );
}

function nonEmptyText(given: JsonObject, key: string): string | undefined {
  const value = keyOf(given, key);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
