import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { ApiTenantQuery, TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import { Body, Controller, HttpCode, NotFoundException, Post, Query, UsePipes } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { CompareProducts } from './compare-products.service.ts';
import { ComparisonAnswer, ComparisonRequest } from './comparison.dto.ts';

/** Reads products back from the shop, page by page. */
@Controller('api/comparisons')
@UsePipes(RequestPipe)
export class ComparisonController {
  constructor(private readonly comparing: CompareProducts) {}

  @Post()
  @Operation({ role: 'act', tenant: 'query', action: { name: 'compare-products' } })
  @CommandLine('catalog compare', {
    pt: 'Lê produtos de volta da loja, os de um arquivo ou todos que o Gondola conhece, e lista as diferenças',
    en: 'Reads products back from the shop, those of a file or all that Gondola knows, and lists what differs',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'How the shop has products; with `adopt`, their SKUs are published as they are there' })
  @ApiTenantQuery()
  @ApiOkResponse({ description: 'OK; some seconds of readings at most', type: ComparisonAnswer })
  @ApiErrors({ 404: 'The tenant is not in the tenants file', 413: 'The records are more than one request holds' })
  async compare(
    @Body() { records, after, adopt }: ComparisonRequest,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<ComparisonAnswer> {
    const page = await this.comparing.compare(tenant, { records: records ?? null, after: after ?? null, adopt });
    if (page === null)
      throw new NotFoundException({ code: 'NOT_FOUND', message: 'The tenant is not in the tenants file' });
    return page;
  }
}
