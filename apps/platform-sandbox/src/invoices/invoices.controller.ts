import {
  BadRequestException,
  Get,
  InternalServerErrorException,
  NotFoundException,
  Param,
  Post,
  Put,
  Query,
  Req,
  StreamableFile,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptOperation, type Accepted } from '../core/accept-operation.service.ts';
import { FileStore } from '../files/file-store.service.ts';
import { FormUploads, badUpload } from '../files/form-uploads.service.ts';
import { ValidBody } from '../http/body.decorator.ts';
import { CurrentCaller, type Caller } from '../http/caller.decorator.ts';
import { IntegrationRoutes, Queues } from '../http/integration-routes.decorator.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { A_GUID, FILE } from '../openapi/schemas.ts';
import { Storefronts } from '../order-payload/storefronts.service.ts';
import { orderNumberOf } from '../orders/order-number.ts';
import { OrdersRepository } from '../orders/orders.repository.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import type { JsonObject } from '../values/exact-json.ts';
import { InvoiceBody, type Invoice } from './invoice.ts';
import type { InvoiceAttachment, InvoiceRegistration } from './take-invoices.service.ts';

const PDF = 'application/pdf';

/** Data and file of an order's invoice (docs/platform.md, "Invoice registration"; "Files"; Errors). */
@IntegrationRoutes('v1')
export class InvoicesController {
  constructor(
    private readonly core: AcceptOperation,
    private readonly uploads: FormUploads,
    private readonly orders: OrdersRepository,
    private readonly store: FileStore,
    private readonly storefronts: Storefronts,
    private readonly switches: SwitchBoard,
  ) {}

  /** Answers 500 for an order that does not exist, indistinguishable from any other failure. */
  @Put('Orders/invoiced/:orderNumber')
  @Queues('answer shown', {
    summary: 'Registers an invoice; value in cents, a fraction is cut off',
    body: { number: '4321', issuanceDate: '2026-11-20T13:15:00Z', value: 1245 },
    answer: { transactionId: A_GUID },
    errors: { 400: 'The body is wrong', 500: 'Any failure, an order that does not exist included' },
  })
  async register(
    @Param('orderNumber') number: string,
    @ValidBody(InvoiceBody) invoice: Invoice,
    @CurrentCaller() caller: Caller,
  ): Promise<{ transactionId: string }> {
    const order = await this.orders.ofMerchant(caller, orderNumberOf(number));
    if (order === undefined) throw new InternalServerErrorException();
    const registration: InvoiceRegistration = { orderNumber: order.number, invoice };
    const { operationId } = await this.core.accept(caller, 'invoice-registration', [registration]);
    return { transactionId: operationId };
  }

  @Post('Storages/invoice/upload')
  @Queues('answer not shown', {
    summary: 'Attaches the PDF of an invoice',
    form: { type: 'object', required: ['files'], properties: { files: FILE } },
    errors: { 400: 'Apenas arquivos PDF são permitidos', 413: 'Larger than UPLOAD_MAX_BYTES' },
  })
  async upload(
    @Query('orderId') orderId: string | undefined,
    @Req() request: FastifyRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<Accepted> {
    const [sentType = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';', 1);
    if (sentType.trim() !== 'multipart/form-data') {
      throw sentType.trim() === PDF ? badUpload('The PDF must be sent as multipart/form-data') : onlyPdf();
    }
    if (orderId === undefined || orderId === '') throw badUpload('orderId is missing');
    const upload = await this.uploads.receive(request, caller, (mediaType) => mediaType === PDF);
    const [file, ...others] = upload.files;
    if (upload.unwanted.length > 0 || file === undefined || others.length > 0) {
      await this.uploads.discard(upload);
      throw upload.unwanted.length > 0 ? onlyPdf() : badUpload('The form must have one part named files');
    }
    const attachment: InvoiceAttachment = { orderId, file };
    return this.core.accept(caller, 'invoice-file', [attachment], [file]);
  }

  @Get('Storages/invoice')
  @Describe({
    summary: 'The attached invoice',
    answer: { url: 'http://127.0.0.1:8090/files/…/nota.pdf', fileName: 'nota.pdf', contentType: PDF, size: 1024 },
    errors: { 404: 'There is no invoice' },
  })
  async read(
    @Query('orderId') orderId: string | undefined,
    @CurrentCaller() { contractAccountId }: Caller,
  ): Promise<JsonObject | string[] | StreamableFile> {
    const order = orderId === undefined ? undefined : await this.orders.find({ id: orderId });
    const file = order?.contractAccountId === contractAccountId ? order.invoiceFile : null;
    if (file === null) throw new NotFoundException({ code: 'INVOICE_UNKNOWN', message: 'There is no invoice' });
    const url = this.storefronts.urlOf(file);
    const { fileName, mediaType, size } = file;
    switch (this.switches.behaviour.invoiceAnswer) {
      case 'url':
        return { url, fileName, contentType: mediaType, size };
      case 'list':
        return [url];
      case 'text':
        return new StreamableFile(Buffer.from(JSON.stringify(url)), { type: 'application/json; charset=utf-8' });
      default:
        return new StreamableFile(this.store.read(file.id), { type: mediaType, length: size });
    }
  }
}

function onlyPdf(): BadRequestException {
  return new BadRequestException({ code: 'NOT_PDF', message: 'Apenas arquivos PDF são permitidos' });
}
