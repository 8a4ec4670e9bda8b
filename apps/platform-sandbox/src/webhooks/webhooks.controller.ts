import { Database } from '@gondola/service-kit/database/database';
import { ConflictException, HttpCode, Post } from '@nestjs/common';
import { JsonBody, valid } from '../http/body.decorator.ts';
import { CurrentCaller, type Caller } from '../http/caller.decorator.ts';
import { IntegrationRoutes } from '../http/integration-routes.decorator.ts';
import { TenantHeaderIsInput } from '../http/integration.guard.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { A_GUID, GUID, TEXT, listOf, object } from '../openapi/schemas.ts';
import { Ids } from '../runtime/ids.service.ts';
import type { Json } from '../values/exact-json.ts';
import { readRegistration } from './registration.ts';
import { WebhookEntity } from './webhook.entity.ts';

/** docs/platform.md, "Webhook registration". No route alters or deletes one. */
@IntegrationRoutes('v1/Webhooks')
@TenantHeaderIsInput()
export class WebhooksController {
  constructor(
    private readonly database: Database,
    private readonly ids: Ids,
  ) {}

  @Post()
  @HttpCode(200)
  @Describe({
    summary: 'Registers the one webhook of a merchant',
    body: [
      {
        type: 'object',
        required: ['originType', 'originData', 'url'],
        properties: {
          originType: { enum: ['User', 'Api_call', 1, 2] },
          originData: TEXT,
          url: TEXT,
          authType: TEXT,
          authToken: TEXT,
          eventTypes: listOf(TEXT),
        },
      },
      {
        originType: 'Api_call',
        originData: 'gondola',
        url: 'https://erp.example.com/webhooks/platform',
        authType: 'Bearer',
        authToken: 'token',
        eventTypes: ['Order_Updated'],
      },
    ],
    answer: [object({ id: GUID, url: TEXT }), { id: A_GUID, url: 'https://erp.example.com/webhooks/platform' }],
    errors: { 400: 'A field or x-contractAccountId is wrong', 409: 'There is one already' },
  })
  async register(
    @JsonBody() body: Json,
    @CurrentCaller() { contractAccountId }: Caller,
  ): Promise<{ id: string; url: string }> {
    const registration = valid(readRegistration(body), 'WEBHOOK_INVALID');
    const webhook = { id: this.ids.newGuid(), contractAccountId, registration };
    const adding = this.database.repository(WebhookEntity).createQueryBuilder().insert().values(webhook);
    const { raw } = await adding.orIgnore().returning('id').execute();
    if ((raw as unknown[]).length === 0) {
      throw new ConflictException({
        code: 'WEBHOOK_EXISTS',
        message: 'A webhook already exists for this contractAccountId',
      });
    }
    return { id: webhook.id, url: registration.url };
  }
}
