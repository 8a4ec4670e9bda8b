import {
  BadRequestException,
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  Patch,
  Post,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { AcceptOperation } from '../../application/accept-operation.ts';
import type { OrderStatusPatch } from '../../application/apply-order-status.step.ts';
import type { Cancellation } from '../../application/cancel-order.step.ts';
import { SwitchBoard } from '../../application/switch-board.ts';
import type { Behaviour } from '../../domain/behaviour.ts';
import { isJsonObject, keyOf, type Json, type JsonObject } from '../../domain/exact-json.ts';
import { statusCode, statusName } from '../../domain/orders/order-status.ts';
import type { CoreDirective } from '../../outbound/operation.entity.ts';
import { OrdersRepository } from '../../outbound/orders.repository.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { JsonBody, OptionalJsonBody } from '../http/body.decorator.ts';
import { CurrentTenant } from '../http/tenant.ts';
import { AnswerNotShown, AnswerNotShownInterceptor } from './answer-not-shown.interceptor.ts';
import { Asynchronous, Directive } from './asynchronous.decorator.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { IntegrationGuard } from './integration.guard.ts';
import { orderNumberOf, requiredOrderNumber } from './order-number.ts';
import { orderUnknown } from './order-unknown.ts';

/** docs/platform.md, "Orders". Bodies that the document does not show: NOT-SHOWN.md. */
@Controller('v1/Orders/:orderNumber')
@UseGuards(IntegrationGuard)
@UseInterceptors(AnswerNotShownInterceptor, FaultInterceptor)
export class OrdersController {
  constructor(
    private readonly acceptOperation: AcceptOperation,
    private readonly orders: OrdersRepository,
    private readonly switches: SwitchBoard,
  ) {}

  @Patch('status')
  @HttpCode(200)
  @Asynchronous()
  @AnswerNotShown()
  async setStatus(
    @Param('orderNumber') number: string,
    @JsonBody() body: Json,
    @CurrentTenant() { contractAccountId }: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    const patch: OrderStatusPatch = {
      orderNumber: requiredOrderNumber(number),
      status: statusOf(body, this.switches.behaviour),
    };
    const payloads = [JSON.stringify(patch)];
    return {
      operationId: await this.acceptOperation.accept({ contractAccountId, kind: 'order-status', payloads, directive }),
    };
  }

  /** What the body may hold is not shown; a reason in it has no effect. The answer is. */
  @Post('cancel')
  @HttpCode(200)
  @Asynchronous()
  async cancel(
    @Param('orderNumber') number: string,
    @OptionalJsonBody() body: Json,
    @CurrentTenant() { contractAccountId }: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    checkReason(body, this.switches.behaviour);
    const cancellation: Cancellation = { orderNumber: requiredOrderNumber(number) };
    const payloads = [JSON.stringify(cancellation)];
    const kind = 'order-cancellation';
    return { operationId: await this.acceptOperation.accept({ contractAccountId, kind, payloads, directive }) };
  }

  @Get('status')
  @Header('content-type', 'application/json; charset=utf-8')
  async status(@Param('orderNumber') number: string, @CurrentTenant() tenant: Tenant): Promise<JsonObject | string> {
    const order = await this.orders.ofMerchant(tenant, orderNumberOf(number));
    if (order === undefined) throw orderUnknown();
    return statusAnswer(order.status, this.switches.behaviour);
  }
}

/** A bare number or text as JSON text, because the framework would not send it as JSON. */
function statusAnswer(status: number, { statusAnswer: form }: Behaviour): JsonObject | string {
  switch (form) {
    case 'status':
      return { status };
    case 'code':
      return { code: status };
    case 'data':
      return { data: { status } };
    case 'number':
      return JSON.stringify(status);
    default:
      return JSON.stringify(statusName(status));
  }
}

/**
 * The code of the status that the body names; the name itself where it is none, and the core is to say so
 * (docs/platform.md, "Behaviour rules" 1).
 */
function statusOf(body: Json, { statusKey, unknownStatus }: Behaviour): number | string {
  const name = statusKey === '' ? body : isJsonObject(body) ? keyOf(body, statusKey) : undefined;
  if (typeof name === 'string') {
    const status = statusCode(name);
    if (status !== undefined) return status;
    if (unknownStatus === 'by-event') return name;
  }
  const shape = statusKey === '' ? '"<name of a status>"' : `{ "${statusKey}": "<name of a status>" }`;
  throw new BadRequestException({ code: 'STATUS_UNKNOWN', message: `The body must be ${shape}` });
}

function checkReason(body: Json, { cancelReasonKey }: Behaviour): void {
  if (cancelReasonKey === null) return;
  const reason = isJsonObject(body) ? keyOf(body, cancelReasonKey) : undefined;
  if (typeof reason === 'string' && reason.trim() !== '') return;
  const message = `The body must be { "${cancelReasonKey}": "<text>" }`;
  throw new BadRequestException({ code: 'REASON_MISSING', message });
}
