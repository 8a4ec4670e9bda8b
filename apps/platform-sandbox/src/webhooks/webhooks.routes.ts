import { HttpError } from '../http/http-error.ts';
import { route, type AnyRoute } from '../http/route.ts';
import type { Ids } from '../runtime/ids.service.ts';
import { RegistrationBody } from './registration.ts';
import type { Webhooks } from './webhooks.service.ts';

/** docs/platform.md, "Webhook registration". No route changes or deletes a webhook. */
export function webhookRoutes(webhooks: Webhooks, ids: Ids): AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/v1/Webhooks',
      access: 'merchant',
      isTenantInput: true,
      summary: 'Registers the one webhook of a merchant',
      body: RegistrationBody,
      example: {
        originType: 'Api_call',
        originData: 'gondola',
        url: 'http://127.0.0.1:9000/webhooks/platform',
        authType: 'Bearer',
        authToken: 'token',
        eventTypes: ['Order_Updated'],
      },
      answer: { id: '11111111-1111-4111-8111-111111111111', url: 'http://127.0.0.1:9000/webhooks/platform' },
      errors: { 400: 'A field or x-contractAccountId is wrong', 409: 'There is one already' },
      handle: ({ body: registration, caller: { contractAccountId } }) => {
        const id = ids.newGuid();
        if (!webhooks.register({ id, contractAccountId, registration })) {
          throw new HttpError(409, 'WEBHOOK_EXISTS', 'A webhook already exists for this contractAccountId');
        }
        return { id, url: registration.url };
      },
    }),
  ];
}
