import { CountsQuery } from '@gondola/service-kit/http/counts-query.dto';
import { ApiPageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { tenantOfRequest } from '@gondola/service-kit/http/tenant-of-request';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { ApiTenantQuery, TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import {
  applyDecorators,
  Controller,
  Get,
  Inject,
  NotFoundException,
  Param,
  Query,
  type Type,
  UsePipes,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { Operation } from '@gondola/service-kit/http/operation';
import { CatalogCounts, RecordsQuery, ShownProduct, ShownRecord, ShownReference } from './catalog.dto.ts';
import { ShowCatalog } from './show-catalog.service.ts';

/** Operators' routes of the catalog (contract, "HTTP"). With several tenants, `?tenant=` selects one. */
@Controller('api')
export class CatalogController {
  constructor(
    private readonly show: ShowCatalog,
    @Inject(TENANTS) private readonly tenants: ReadonlyArray<{ readonly id: string }>,
  ) {}

  @Get('products/:externalReference')
  @Operation({
    role: 'see',
    tenant: 'query',
    reveals: 'unmasked',
    action: { name: 'reveal-product', subject: 'externalReference' },
  })
  @Shows('a product', ShownProduct)
  async product(
    @Param('externalReference') reference: string,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<ShownProduct> {
    return found(await this.show.product(tenant, reference));
  }

  @Get('products/:externalReference/records')
  @Operation({ role: 'see', tenant: 'query' })
  @UsePipes(RequestPipe)
  @ApiOperation({ summary: 'Records about a product, and about prices and stock of its SKUs, the newest first' })
  @ApiPageOf(ShownRecord)
  @ApiErrors({ 400: 'A parameter is wrong', 404: 'No record was about it' })
  async records(
    @Param('externalReference') reference: string,
    @Query() query: RecordsQuery,
  ): Promise<PageOf<ShownRecord>> {
    const { id: tenant } = tenantOfRequest(query.tenant, this.tenants);
    return found(await this.show.records(tenant, reference, pageRequest(query)));
  }

  @Get('brands/:externalReference')
  @Operation({ role: 'see', tenant: 'query' })
  @Shows('a brand', ShownReference)
  async brand(
    @Param('externalReference') reference: string,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<ShownReference> {
    return found(await this.show.reference(tenant, 'brand', reference));
  }

  @Get('categories/:externalReference')
  @Operation({ role: 'see', tenant: 'query' })
  @Shows('a category', ShownReference)
  async category(
    @Param('externalReference') reference: string,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<ShownReference> {
    return found(await this.show.reference(tenant, 'category', reference));
  }

  @Get('counts')
  @Operation({ role: 'see', tenant: 'query' })
  @UsePipes(RequestPipe)
  @ApiOperation({ summary: 'Open records by tenant and kind' })
  @ApiOkResponse({ description: 'OK', type: [CatalogCounts] })
  @ApiErrors({ 400: 'There is no such parameter' })
  async counts(@Query() { tenant }: CountsQuery): Promise<CatalogCounts[]> {
    return this.show.counts(tenant ?? null);
  }
}

function Shows(what: string, type: Type): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary: `What is known of ${what}, and what its open records wait for` }),
    ApiTenantQuery(),
    ApiOkResponse({ description: 'OK', type }),
    ApiErrors({ 404: 'No record was about it' }),
  );
}

function found<T>(shown: T | null): T {
  if (shown === null) throw new NotFoundException();
  return shown;
}
