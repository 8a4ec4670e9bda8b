import { BadRequestException, Controller, Delete, Get, Param, UseGuards, UseInterceptors } from '@nestjs/common';
import { AcceptOperation } from '../../application/accept-operation.ts';
import type { RemovedFiles } from '../../application/remove-files.step.ts';
import type { Json } from '../../domain/exact-json.ts';
import { problemsText } from '../../domain/field-problem.ts';
import { readRemoval } from '../../domain/files/file-removal.ts';
import { filePath, isFileType } from '../../domain/files/stored-file.ts';
import { FilesRepository } from '../../outbound/files.repository.ts';
import type { CoreDirective } from '../../outbound/operation.entity.ts';
import { PublicUrl } from '../../outbound/public-url.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { JsonBody } from '../http/body.decorator.ts';
import { CurrentTenant } from '../http/tenant.ts';
import { AnswerNotShown, AnswerNotShownInterceptor } from './answer-not-shown.interceptor.ts';
import { Asynchronous, Directive } from './asynchronous.decorator.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { IntegrationGuard } from './integration.guard.ts';

/** Lists and removes the files of an entity (docs/platform.md, "Files"). */
@Controller('v1/Storages')
@UseGuards(IntegrationGuard)
@UseInterceptors(AnswerNotShownInterceptor, FaultInterceptor)
export class StoredFilesController {
  constructor(
    private readonly acceptOperation: AcceptOperation,
    private readonly files: FilesRepository,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** In their display order; none is an empty list. */
  @Get('file/:externalReference/:fileType')
  async list(
    @Param('externalReference') externalReference: string,
    @Param('fileType') fileType: string,
    @CurrentTenant() { contractAccountId }: Tenant,
  ): Promise<string[]> {
    const code = Number(fileType);
    if (!/^\d$/.test(fileType) || !isFileType(code)) {
      throw new BadRequestException({ code: 'FILE_TYPE', message: 'fileType must be 1 to 5' });
    }
    const files = await this.files.attached({ contractAccountId, externalReference, fileType: code });
    return files.map((file) => `${this.publicUrl.base()}${filePath(file)}`);
  }

  @Delete('file/:externalReference')
  @Asynchronous()
  @AnswerNotShown()
  async removeSome(
    @Param('externalReference') externalReference: string,
    @JsonBody() body: Json,
    @CurrentTenant() tenant: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    const reading = readRemoval(body);
    if (reading.kind === 'invalid') {
      throw new BadRequestException({ code: 'REMOVAL_INVALID', message: problemsText(reading.problems) });
    }
    return this.remove({ externalReference, ...reading.removal }, tenant, directive);
  }

  @Delete('delete/:entityId')
  @Asynchronous()
  @AnswerNotShown()
  async removeAll(
    @Param('entityId') entityId: string,
    @CurrentTenant() tenant: Tenant,
    @Directive() directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    return this.remove({ entityId: entityId.toLowerCase() }, tenant, directive);
  }

  private async remove(
    removed: RemovedFiles,
    { contractAccountId }: Tenant,
    directive: CoreDirective,
  ): Promise<{ operationId: string }> {
    const payloads = [JSON.stringify(removed)];
    const operation = { contractAccountId, kind: 'file-removal', payloads, directive };
    return { operationId: await this.acceptOperation.accept(operation) };
  }
}
