import {
  BadRequestException,
  Controller,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { AcceptOperation } from '../../application/accept-operation.ts';
import type { OrderStatusPatch } from '../../application/apply-order-status.step.ts';
import type { Cancellation } from '../../application/cancel-order.step.ts';
import { ReadOrder } from '../../application/read-order.ts';
import { Storefronts } from '../../application/storefronts.ts';
import { isJsonObject, keyOf, type Json, type JsonObject } from '../../domain/exact-json.ts';
import { isNotified, statusCode } from '../../domain/orders/order-status.ts';
import { orderPayload } from '../../domain/orders/order-payload.ts';
import { orderPayloadV2 } from '../../domain/orders/order-payload-v2.ts';
import type { CoreDirective } from '../../outbound/operations.repository.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { JsonBody, OptionalJsonBody } from '../http/body.decorator.ts';
import { CurrentTenant } from '../http/tenant.ts';
import { Asynchronous, Directive } from './asynchronous.decorator.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { IntegrationGuard } from './integration.guard.ts';
import { orderNumberOf, requiredOrderNumber } from './order-number.ts';
import { orderUnknown } from './order-unknown.ts';

/** platform-api.md: Endpoints, Orders. Bodies that the document does not show: NOT-SHOWN.md. */
@Controller('v1/Orders/:orderNumber')
@UseGuards(IntegrationGuard)
@UseInterceptors(FaultInterceptor)
export class OrdersController {
  constructor(
    private readonly acceptOperation: AcceptOperation,
    private readonly readOrder: ReadOrder,
    private readonly storefronts: Storefronts,
  ) {}

  @Patch('status')
  @HttpCode(200)
  @Asynchronous()
  async setStatus(
    @Param('orderNumber') number: string,
    @JsonBody() body: Json,
    @CurrentTenant() { contractAccountId }: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    const patch: OrderStatusPatch = { orderNumber: requiredOrderNumber(number), status: statusOf(body) };
    const payloads = [JSON.stringify(patch)];
    return {
      operationId: await this.acceptOperation.accept({ contractAccountId, kind: 'order-status', payloads, directive }),
    };
  }

  /** What the body may hold is not shown; a reason in it has no effect. */
  @Post('cancel')
  @HttpCode(200)
  @Asynchronous()
  async cancel(
    @Param('orderNumber') number: string,
    @OptionalJsonBody() _reason: Json,
    @CurrentTenant() { contractAccountId }: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    const cancellation: Cancellation = { orderNumber: requiredOrderNumber(number) };
    const payloads = [JSON.stringify(cancellation)];
    const kind = 'order-cancellation';
    return { operationId: await this.acceptOperation.accept({ contractAccountId, kind, payloads, directive }) };
  }

  @Get('status')
  async status(@Param('orderNumber') number: string, @CurrentTenant() tenant: Tenant): Promise<{ status: number }> {
    const order = await this.readOrder.ofTenant(tenant, orderNumberOf(number));
    if (order === undefined) throw orderUnknown();
    return { status: order.status };
  }

  /** The `data` that a webhook would carry now; nothing is sent. */
  @Get('webhook-payload')
  async webhookPayload(
    @Param('orderNumber') number: string,
    @Query('version') version: string | undefined,
    @CurrentTenant() tenant: Tenant,
  ): Promise<JsonObject> {
    const order = await this.readOrder.ofTenant(tenant, orderNumberOf(number));
    if (order === undefined || !isNotified(order.status)) throw orderUnknown();
    const shop = this.storefronts.of(tenant);
    return version === '2' ? orderPayloadV2(order, shop) : orderPayload(order, shop);
  }
}

function statusOf(body: Json): number {
  const name = isJsonObject(body) ? keyOf(body, 'status') : undefined;
  const status = typeof name === 'string' ? statusCode(name) : undefined;
  if (status !== undefined) return status;
  throw new BadRequestException({
    code: 'STATUS_UNKNOWN',
    message: 'The body must be { "status": "<name of a status>" }',
  });
}
