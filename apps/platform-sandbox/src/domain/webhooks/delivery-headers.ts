import type { Behaviour } from '../behaviour.ts';
import type { WebhookRegistration } from './registration.ts';

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
