import { Database } from '@gondola/service-kit/database/database';
import { ConflictException, HttpCode, Post } from '@nestjs/common';
import { ValidBody } from '../http/body.decorator.ts';
import { CurrentCaller, type Caller } from '../http/caller.decorator.ts';
import { IntegrationRoutes } from '../http/integration-routes.decorator.ts';
import { TenantHeaderIsInput } from '../http/integration.guard.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { A_GUID } from '../openapi/schemas.ts';
import { Ids } from '../runtime/ids.service.ts';
import { RegistrationBody, type WebhookRegistration } from './registration.ts';
import { WebhookEntity } from './webhook.entity.ts';

/** docs/platform.md, "Webhook registration". No route changes or deletes a webhook. */
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
    body: {
      originType: 'Api_call',
      originData: 'gondola',
      url: 'https://erp.example.com/webhooks/platform',
      authType: 'Bearer',
      authToken: 'token',
      eventTypes: ['Order_Updated'],
    },
    answer: { id: A_GUID, url: 'https://erp.example.com/webhooks/platform' },
    errors: { 400: 'A field or x-contractAccountId is wrong', 409: 'There is one already' },
  })
  async register(
    @ValidBody(RegistrationBody) registration: WebhookRegistration,
    @CurrentCaller() { contractAccountId }: Caller,
  ): Promise<{ id: string; url: string }> {
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
