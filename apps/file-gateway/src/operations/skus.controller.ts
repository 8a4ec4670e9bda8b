import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { ApiTenantQuery, TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import { Body, Controller, HttpCode, Post, Query, UsePipes } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { SkusRepository } from '../skus/skus.repository.ts';
import { AskedSkus, KnownSkus } from './skus.dto.ts';

/** Helps to interpret names of pictures: `4711-1` may be a SKU, or the first picture of `4711`. */
@Controller('api/skus')
@UsePipes(RequestPipe)
export class SkusController {
  constructor(private readonly skus: SkusRepository) {}

  @Post('known')
  @HttpCode(200)
  @ApiOperation({ summary: 'Which of these references are SKUs that the platform has' })
  @ApiTenantQuery()
  @ApiOkResponse({ description: 'OK', type: KnownSkus })
  @ApiErrors({ 400: 'The body is no list of references, or several tenants are configured and ?tenant= is missing' })
  async known(
    @Body() { externalReferences }: AskedSkus,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<KnownSkus> {
    return { known: await this.skus.knownOf(tenant, externalReferences) };
  }
}
