import {
  BadRequestException,
  Controller,
  HttpCode,
  InternalServerErrorException,
  Param,
  Put,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { AcceptOperation } from '../../application/accept-operation.ts';
import type { InvoiceRegistration } from '../../application/register-invoice.step.ts';
import type { Json } from '../../domain/exact-json.ts';
import { problemsText } from '../../domain/field-problem.ts';
import { readInvoice } from '../../domain/orders/invoice.ts';
import type { CoreDirective } from '../../outbound/operation.entity.ts';
import { OrdersRepository } from '../../outbound/orders.repository.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { JsonBody } from '../http/body.decorator.ts';
import { CurrentTenant } from '../http/tenant.ts';
import { Asynchronous, Directive } from './asynchronous.decorator.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { IntegrationGuard } from './integration.guard.ts';
import { orderNumberOf } from './order-number.ts';

/** docs/platform.md, "Invoice registration"; Errors, Synchronous responses. */
@Controller('v1/Orders/invoiced')
@UseGuards(IntegrationGuard)
@UseInterceptors(FaultInterceptor)
export class InvoicingController {
  constructor(
    private readonly acceptOperation: AcceptOperation,
    private readonly orders: OrdersRepository,
  ) {}

  /**
   * 400 for a bad body; 500 for an order that does not exist, in no way different from any other failure; else a
   * transaction id.
   */
  @Put(':orderNumber')
  @HttpCode(200)
  @Asynchronous()
  async register(
    @Param('orderNumber') number: string,
    @JsonBody() body: Json,
    @CurrentTenant() tenant: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ transactionId: string }> {
    const reading = readInvoice(body);
    if (reading.kind === 'invalid') {
      throw new BadRequestException({ code: 'INVOICE_INVALID', message: problemsText(reading.problems) });
    }
    const order = await this.orders.ofMerchant(tenant, orderNumberOf(number));
    if (order === undefined) throw new InternalServerErrorException();
    const { contractAccountId } = tenant;
    const registration: InvoiceRegistration = { orderNumber: order.number, invoice: reading.invoice };
    const payloads = [JSON.stringify(registration)];
    const kind = 'invoice-registration';
    return { transactionId: await this.acceptOperation.accept({ contractAccountId, kind, payloads, directive }) };
  }
}
