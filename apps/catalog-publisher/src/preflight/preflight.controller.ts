import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { ApiTenantQuery, TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import { Body, Controller, HttpCode, NotFoundException, Post, Query, UsePipes } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { CheckRecords } from './check-records.service.ts';
import { PreflightAnswer, PreflightRequest } from './preflight.dto.ts';

/** Checks records before an ERP produces them. */
@Controller('api/preflight')
@UsePipes(RequestPipe)
export class PreflightController {
  constructor(private readonly checking: CheckRecords) {}

  @Post()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('catalog preflight', {
    pt: 'Confere os registros de um arquivo .jsonl ou .csv antes de produzi-los; nada é armazenado nem enviado',
    en: 'Checks the records of a .jsonl or .csv file before they are produced; nothing is stored or sent',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'What would become of records, by all that is known now; nothing is stored or sent' })
  @ApiTenantQuery()
  @ApiOkResponse({ description: 'OK', type: PreflightAnswer })
  @ApiErrors({ 404: 'The tenant is not in the tenants file', 413: 'The records are more than one request holds' })
  async check(
    @Body() { kind, records }: PreflightRequest,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<PreflightAnswer> {
    const checked = await this.checking.check(tenant, kind, records);
    if (checked === null)
      throw new NotFoundException({ code: 'NOT_FOUND', message: 'The tenant is not in the tenants file' });
    return { records: checked };
  }
}
