import {
  BadRequestException,
  ConflictException,
  Controller,
  HttpCode,
  Post,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { RegisterWebhook } from '../../application/register-webhook.ts';
import type { Json } from '../../domain/exact-json.ts';
import { problemsText } from '../../domain/field-problem.ts';
import { readRegistration } from '../../domain/webhooks/registration.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
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
  constructor(private readonly registerWebhook: RegisterWebhook) {}

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
    const id = await this.registerWebhook.register(contractAccountId, reading.registration);
    if (id === undefined) {
      throw new ConflictException({
        code: 'WEBHOOK_EXISTS',
        message: 'A webhook already exists for this contractAccountId',
      });
    }
    return { id, url: reading.registration.url };
  }
}
