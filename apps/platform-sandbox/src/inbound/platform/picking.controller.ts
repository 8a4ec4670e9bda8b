import { Controller, HttpCode, Param, Put, UseGuards, UseInterceptors } from '@nestjs/common';
import { AcceptOperation } from '../../application/accept-operation.ts';
import type { PickingPayload } from '../../application/apply-picking.step.ts';
import { isJsonObject, keyOf, numberText, type Json } from '../../domain/exact-json.ts';
import type { CoreDirective } from '../../outbound/operation.entity.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { JsonBody } from '../http/body.decorator.ts';
import { CurrentTenant } from '../http/tenant.ts';
import { AnswerNotShown, AnswerNotShownInterceptor } from './answer-not-shown.interceptor.ts';
import { Asynchronous, Directive } from './asynchronous.decorator.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { IntegrationGuard } from './integration.guard.ts';
import { requiredOrderNumber } from './order-number.ts';

/**
 * Items and price after picking. The document lists the route a second time, as `PUT /v1/orders/`, with the same body
 * and no number in the path: then `orderNumber` stands in the body.
 */
@Controller()
@UseGuards(IntegrationGuard)
@UseInterceptors(AnswerNotShownInterceptor, FaultInterceptor)
export class PickingController {
  constructor(private readonly acceptOperation: AcceptOperation) {}

  // A wildcard, because a named parameter is never empty.
  @Put(['v1/Orders/:orderNumber', 'v1/orders/*'])
  @HttpCode(200)
  @Asynchronous()
  @AnswerNotShown()
  async report(
    @Param() { orderNumber, '*': rest }: { orderNumber?: string; '*'?: string },
    @JsonBody() body: Json,
    @CurrentTenant() { contractAccountId }: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    const payload: PickingPayload = {
      orderNumber: requiredOrderNumber((orderNumber ?? rest) || numberInBody(body)),
      body,
    };
    const payloads = [JSON.stringify(payload)];
    return {
      operationId: await this.acceptOperation.accept({ contractAccountId, kind: 'order-picking', payloads, directive }),
    };
  }
}

function numberInBody(body: Json): string {
  const number = isJsonObject(body) ? keyOf(body, 'orderNumber') : undefined;
  return typeof number === 'string' ? number : (numberText(number) ?? '');
}
