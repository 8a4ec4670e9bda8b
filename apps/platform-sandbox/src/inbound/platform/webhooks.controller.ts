import { Database } from '@gondola/service-kit/database/database';
import {
  BadRequestException,
  ConflictException,
  Controller,
  HttpCode,
  Post,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { Ids } from '../../application/ids.ts';
import type { Json } from '../../domain/exact-json.ts';
import { problemsText } from '../../domain/field-problem.ts';
import { readRegistration } from '../../domain/webhooks/registration.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { WebhookEntity } from '../../outbound/webhook.entity.ts';
import { JsonBody } from '../http/body.decorator.ts';
import { CurrentTenant } from '../http/tenant.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { IntegrationGuard, TenantHeaderIsInput } from './integration.guard.ts';

/** docs/platform.md, "Webhook registration". No route alters or deletes one. */
@Controller('v1/Webhooks')
@UseGuards(IntegrationGuard)
@UseInterceptors(FaultInterceptor)
@TenantHeaderIsInput()
export class WebhooksController {
  constructor(
    private readonly database: Database,
    private readonly ids: Ids,
  ) {}

  @Post()
  @HttpCode(200)
  async register(
    @JsonBody() body: Json,
    @CurrentTenant() { contractAccountId }: Tenant,
  ): Promise<{ id: string; url: string }> {
    const reading = readRegistration(body);
    if (reading.kind === 'invalid') {
      throw new BadRequestException({ code: 'WEBHOOK_INVALID', message: problemsText(reading.problems) });
    }
    const { registration } = reading;
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
