import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiTenantQuery, TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import { isIdentityText, orderNumberText } from '@gondola/shared/topics/identities';
import { applyDecorators, Controller, Get, NotFoundException, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { LaneKind } from '../commands/file-command-identity.ts';
import { FileCounts, ShownLane } from './files.dto.ts';
import { ShowFiles } from './show-files.service.ts';

/** Uploads, images and invoice files, for operators (contract, "HTTP"): no content, no personal data. */
@Controller('api')
export class FilesController {
  constructor(private readonly show: ShowFiles) {}

  @Get('counts')
  @ApiOperation({ summary: 'Uploads by tenant and state, open commands, SKUs and orders that are known' })
  @ApiOkResponse({ description: 'OK', type: FileCounts })
  async counts(): Promise<FileCounts> {
    return this.show.counts();
  }

  @Get('skus/:externalReference/images')
  @ShowsLane('Open commands for a SKU’s images, and what they wait for')
  async images(
    @Param('externalReference') externalReference: string,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<ShownLane> {
    return this.#lane(tenant, 'sku-images', isIdentityText(externalReference) ? externalReference : null);
  }

  @Get('orders/:number/invoice')
  @ShowsLane('Open commands for an order’s invoice file, and what they wait for')
  async invoice(@Param('number') number: string, @Query('tenant', TenantPipe) tenant: string): Promise<ShownLane> {
    return this.#lane(tenant, 'order-invoice', orderNumberText(number));
  }

  async #lane(tenant: string, kind: LaneKind, identity: string | null): Promise<ShownLane> {
    const shown = identity === null ? null : await this.show.lane(tenant, kind, identity);
    if (shown === null) throw new NotFoundException();
    return shown;
  }
}

function ShowsLane(summary: string): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary }),
    ApiTenantQuery(),
    ApiOkResponse({ description: 'OK', type: ShownLane }),
    ApiErrors({ 404: 'No command has named it' }),
  );
}
