import {
  BadRequestException,
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Post,
  Query,
  Req,
  StreamableFile,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptOperation } from '../../application/accept-operation.ts';
import type { InvoiceAttachment } from '../../application/attach-invoice.step.ts';
import { FileStore } from '../../application/file-store.ts';
import { SwitchBoard } from '../../application/switch-board.ts';
import type { JsonObject } from '../../domain/exact-json.ts';
import { filePath } from '../../domain/files/stored-file.ts';
import type { CoreDirective } from '../../outbound/operation.entity.ts';
import { OrdersRepository } from '../../outbound/orders.repository.ts';
import { PublicUrl } from '../../outbound/public-url.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { CurrentTenant } from '../http/tenant.ts';
import { AnswerNotShown, AnswerNotShownInterceptor } from './answer-not-shown.interceptor.ts';
import { Asynchronous, Directive } from './asynchronous.decorator.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { FormUploads } from './form-uploads.ts';
import { IntegrationGuard } from './integration.guard.ts';

const PDF = 'application/pdf';

/** The file of an order's invoice, by the order's GUID (docs/platform.md, "Files"; Errors). */
@Controller('v1/Storages/invoice')
@UseGuards(IntegrationGuard)
@UseInterceptors(AnswerNotShownInterceptor, FaultInterceptor)
export class InvoiceFilesController {
  constructor(
    private readonly acceptOperation: AcceptOperation,
    private readonly uploads: FormUploads,
    private readonly orders: OrdersRepository,
    private readonly store: FileStore,
    private readonly publicUrl: PublicUrl,
    private readonly switches: SwitchBoard,
  ) {}

  @Post('upload')
  @HttpCode(200)
  @Asynchronous()
  @AnswerNotShown()
  async upload(
    @Query('orderId') orderId: string | undefined,
    @Req() request: FastifyRequest,
    @CurrentTenant() { contractAccountId }: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    const [sentType = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';', 1);
    if (sentType.trim() !== 'multipart/form-data') {
      throw sentType.trim() === PDF ? badUpload('The PDF must be sent as multipart/form-data') : onlyPdf();
    }
    if (orderId === undefined || orderId === '') throw badUpload('orderId is missing');
    const upload = await this.uploads.receive(request, contractAccountId, (mediaType) => mediaType === PDF);
    const [file, ...others] = upload.files;
    if (upload.unwanted.length > 0 || file === undefined || others.length > 0) {
      await this.uploads.discard(upload);
      throw upload.unwanted.length > 0 ? onlyPdf() : badUpload('The form must have one part named files');
    }
    const attachment: InvoiceAttachment = { orderId, file };
    const payloads = [JSON.stringify(attachment)];
    const operation = { contractAccountId, kind: 'invoice-file', payloads, directive };
    return { operationId: await this.acceptOperation.accept(operation, [file.id]) };
  }

  @Get()
  async read(
    @Query('orderId') orderId: string | undefined,
    @CurrentTenant() { contractAccountId }: Tenant,
  ): Promise<JsonObject | string[] | StreamableFile> {
    const order = orderId === undefined ? undefined : await this.orders.find({ id: orderId });
    const file = order?.contractAccountId === contractAccountId ? order.invoiceFile : null;
    if (file === null) throw new NotFoundException({ code: 'INVOICE_UNKNOWN', message: 'There is no invoice' });
    const url = `${this.publicUrl.base()}${filePath(file)}`;
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

function badUpload(message: string): BadRequestException {
  return new BadRequestException({ code: 'UPLOAD_INVALID', message });
}
