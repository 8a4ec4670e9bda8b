import type { WebhookRegistration } from './registration.ts';

/** Headers of a delivery: the token as it was registered, without its scheme in front, and nothing that identifies the delivery. */
export function deliveryHeaders({ authToken }: Pick<WebhookRegistration, 'authToken'>): Record<string, string> {
  const contentType = { 'content-type': 'application/json; charset=utf-8' };
  return authToken === null ? contentType : { ...contentType, authorization: authToken };
}
