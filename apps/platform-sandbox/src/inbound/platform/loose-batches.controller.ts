import { Controller, HttpCode, Post, Req, UseGuards, UseInterceptors } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptOperation } from '../../application/accept-operation.ts';
import type { LoosePayload } from '../../application/apply-loose-record.step.ts';
import { SwitchBoard } from '../../application/switch-board.ts';
import { isJsonArray, type Json } from '../../domain/exact-json.ts';
import type { CoreDirective } from '../../outbound/operation.entity.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { JsonBody } from '../http/body.decorator.ts';
import { CurrentTenant } from '../http/tenant.ts';
import { Asynchronous, Directive } from './asynchronous.decorator.ts';
import { BatchPathGuard, entityOf } from './batch-path.guard.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { IntegrationGuard } from './integration.guard.ts';

/**
 * Prices, warehouses and stock: anything that is JSON is taken (docs/platform.md, "Catalog"; their payloads are not
 * shown).
 */
@Controller('v1/batch')
@UseGuards(BatchPathGuard, IntegrationGuard)
@UseInterceptors(FaultInterceptor)
export class LooseBatchesController {
  constructor(
    private readonly acceptOperation: AcceptOperation,
    private readonly switches: SwitchBoard,
  ) {}

  // The last one for where the switch `batchPaths` puts them.
  @Post(['Pricing', 'Warehouses', 'Warehouses/sku', '*'])
  @HttpCode(200)
  @Asynchronous()
  async load(
    @Req() request: FastifyRequest,
    @JsonBody() body: Json,
    @CurrentTenant() { contractAccountId }: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    const entity = entityOf(request, this.switches.behaviour);
    // A single object is a batch of one: that these bodies are lists is not shown.
    const items = isJsonArray(body) ? body : [body];
    const payloads = items.map((item) => JSON.stringify({ entity, item } satisfies LoosePayload));
    return {
      operationId: await this.acceptOperation.accept({ contractAccountId, kind: 'loose-record', payloads, directive }),
    };
  }
}
