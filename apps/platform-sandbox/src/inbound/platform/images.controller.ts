import {
  BadRequestException,
  Controller,
  Delete,
  HttpCode,
  Post,
  Query,
  Req,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptOperation } from '../../application/accept-operation.ts';
import type { ImageUpload } from '../../domain/files/image-plan.ts';
import type { CoreDirective } from '../../outbound/operation.entity.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { CurrentTenant } from '../http/tenant.ts';
import { AnswerNotShown, AnswerNotShownInterceptor } from './answer-not-shown.interceptor.ts';
import { Asynchronous, Directive } from './asynchronous.decorator.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { FormUploads } from './form-uploads.ts';
import { IntegrationGuard } from './integration.guard.ts';

/** Images of a SKU, by its reference (docs/platform.md, "Files"). */
@Controller('v1/Storages/image/upload')
@UseGuards(IntegrationGuard)
@UseInterceptors(AnswerNotShownInterceptor, FaultInterceptor)
export class ImagesController {
  constructor(
    private readonly acceptOperation: AcceptOperation,
    private readonly uploads: FormUploads,
  ) {}

  @Post()
  @HttpCode(200)
  @Asynchronous()
  async upload(
    @Query('externalReference') externalReference: string | undefined,
    @Req() request: FastifyRequest,
    @CurrentTenant() tenant: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    return this.accept('images', externalReference, request, tenant, directive);
  }

  /** The same form again undoes the upload. */
  @Delete()
  @Asynchronous()
  @AnswerNotShown()
  async undo(
    @Query('externalReference') externalReference: string | undefined,
    @Req() request: FastifyRequest,
    @CurrentTenant() tenant: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    return this.accept('images-undo', externalReference, request, tenant, directive);
  }

  private async accept(
    kind: string,
    externalReference: string | undefined,
    request: FastifyRequest,
    { contractAccountId }: Tenant,
    directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    if (externalReference === undefined || externalReference === '') throw badUpload('externalReference is missing');
    const { fields, files } = await this.uploads.receive(request, contractAccountId, () => true);
    if (files.length === 0) throw badUpload('The form has no part named files');
    const upload: ImageUpload = { externalReference, orders: fields.get('orders') ?? [], files };
    const payloads = [JSON.stringify(upload)];
    const fileIds = files.map(({ id }) => id);
    return {
      operationId: await this.acceptOperation.accept({ contractAccountId, kind, payloads, directive }, fileIds),
    };
  }
}

function badUpload(message: string): BadRequestException {
  return new BadRequestException({ code: 'UPLOAD_INVALID', message });
}
