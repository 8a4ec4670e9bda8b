import { z } from 'zod';
import type { Behaviour } from '../switches/behaviour.ts';
import { isSubscribable } from './event-names.ts';

const text = z.string().min(1, 'must not be empty');
const textOrNull = z
  .string()
  .refine((value) => value.trim() !== '')
  .nullable()
  .catch(null);

/**
 * Body of `POST /v1/Webhooks` (docs/platform.md, "Webhook registration"; Errors). The url must only be non-empty,
 * and `authType` is not checked: the document lists no error for either.
 */
export const RegistrationBody = z.object({
  originType: z
    .literal(['User', 'Api_call', 1, 2], 'must be User (1) or Api_call (2)')
    .transform((type) => (type === 1 ? 'User' : type === 2 ? 'Api_call' : type)),
  originData: text,
  url: text,
  authType: textOrNull,
  /** Sent unchanged in the `Authorization` header of each delivery. */
  authToken: textOrNull,
  eventTypes: z
    .array(z.string().refine(isSubscribable, 'is no event name'))
    .nullish()
    .transform((names) => names ?? []),
});

/** A registered webhook; nothing changes it afterwards. */
export type WebhookRegistration = z.output<typeof RegistrationBody>;

/**
 * Headers of a delivery: the token as registered, or with its scheme in front if the switch is set, and nothing
 * that identifies the delivery (docs/platform.md, "Authentication" 4).
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
