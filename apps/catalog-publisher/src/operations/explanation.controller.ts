import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import { Controller, Get, NotFoundException, Param, Query, UsePipes } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { ExplanationQuery, ShownExplanation } from './explanation.dto.ts';
import { ShowExplanation } from './show-explanation.service.ts';

/** Explains why a product is not in the shop. */
@Controller('api/products')
@UsePipes(RequestPipe)
export class ExplanationController {
  constructor(
    private readonly showing: ShowExplanation,
    private readonly tenantPipe: TenantPipe,
  ) {}

  @Get(':externalReference/explanation')
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('catalog explain', {
    pt: 'Mostra por que um produto não está na loja, e quem deve agir',
    en: 'Shows why a product is not in the shop, and who must act',
  })
  @ApiOperation({ summary: 'Why shoppers do not see a product, and who must act; the platform is asked once' })
  @ApiOkResponse({ description: 'OK, also for a product that no record was about', type: ShownExplanation })
  @ApiErrors({ 400: 'There are several tenants, and no ?tenant=', 404: 'The tenant is not in the tenants file' })
  async explain(
    @Param('externalReference') externalReference: string,
    @Query() { tenant: asked, language }: ExplanationQuery,
  ): Promise<ShownExplanation> {
    const tenant = this.tenantPipe.transform(asked);
    const explanation = await this.showing.explain(tenant, externalReference, language);
    if (explanation === null)
      throw new NotFoundException({ code: 'NOT_FOUND', message: 'The tenant is not in the tenants file' });
    return { tenant, externalReference, ...explanation };
  }
}
