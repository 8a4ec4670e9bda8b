import { Controller, Delete, HttpCode, Post, UseGuards, UseInterceptors } from '@nestjs/common';
import { AcceptOperation } from '../../application/accept-operation.ts';
import type { Json } from '../../domain/exact-json.ts';
import type { CoreDirective } from '../../outbound/operation.entity.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { JsonBody } from '../http/body.decorator.ts';
import { CurrentTenant } from '../http/tenant.ts';
import { AnswerNotShown, AnswerNotShownInterceptor } from './answer-not-shown.interceptor.ts';
import { Asynchronous, Directive } from './asynchronous.decorator.ts';
import { batchPayloads } from './batch-payloads.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { IntegrationGuard } from './integration.guard.ts';

/** docs/platform.md, "Catalog". Anything that is JSON is taken. */
@Controller('v1/batch/Brands')
@UseGuards(IntegrationGuard)
@UseInterceptors(AnswerNotShownInterceptor, FaultInterceptor)
export class BrandsController {
  constructor(private readonly acceptOperation: AcceptOperation) {}

  @Post()
  @HttpCode(200)
  @Asynchronous()
  async load(
    @JsonBody() body: Json,
    @CurrentTenant() { contractAccountId }: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    const payloads = batchPayloads(body);
    return {
      operationId: await this.acceptOperation.accept({ contractAccountId, kind: 'brand', payloads, directive }),
    };
  }

  /** The body is a list of `externalReference` texts. */
  @Delete()
  @Asynchronous()
  @AnswerNotShown()
  async remove(
    @JsonBody() body: Json,
    @CurrentTenant() { contractAccountId }: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    const payloads = batchPayloads(body);
    return {
      operationId: await this.acceptOperation.accept({ contractAccountId, kind: 'brand-removal', payloads, directive }),
    };
  }
}
