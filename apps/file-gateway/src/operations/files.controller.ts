import { CountsQuery } from '@gondola/service-kit/http/counts-query.dto';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiTenantQuery, TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import { isIdentityText, orderNumberText } from '@gondola/shared/topics/identities';
import {
  applyDecorators,
  Body,
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  Query,
  UsePipes,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { entityFilesIdentity, type FileEntity } from '../commands/file-command-identity.ts';
import type { LaneKind } from '../lane-kinds.ts';
import { AskedSkus, FileCounts, KnownSkus, ShownLane } from './files.dto.ts';
import { SkusRepository } from '../skus/skus.repository.ts';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { ShowFiles } from './show-files.service.ts';

/** Uploads, images, invoices and other files, for operators (contract, "HTTP"): no content, no personal data. */
@Controller('api')
export class FilesController {
  constructor(
    private readonly show: ShowFiles,
    private readonly skus: SkusRepository,
  ) {}

  @Get('counts')
  @Operation({ role: 'see', tenant: 'query' })
  @UsePipes(RequestPipe)
  @ApiOperation({ summary: 'Uploads by tenant and state, open commands, SKUs and orders that are known' })
  @ApiOkResponse({ description: 'OK', type: FileCounts })
  @ApiErrors({ 400: 'There is no such parameter' })
  async counts(@Query() { tenant }: CountsQuery): Promise<FileCounts> {
    return this.show.counts(tenant ?? null);
  }

  @Get('skus/:externalReference/images')
  @Operation({ role: 'see', tenant: 'query' })
  @ShowsLane('Open commands for a SKU’s images, and what they wait for')
  async images(
    @Param('externalReference') externalReference: string,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<ShownLane> {
    return this.#lane(tenant, 'sku-images', isIdentityText(externalReference) ? externalReference : null);
  }

  /** Helps to interpret names of pictures: `4711-1` may be a SKU, or the first picture of `4711`. */
  @Post('skus/known')
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('files/known')
  @HttpCode(200)
  @UsePipes(RequestPipe)
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

  @Get('orders/:number/invoice')
  @Operation({ role: 'see', tenant: 'query' })
  @ShowsLane('Open commands for an order’s invoice file, and what they wait for')
  async invoice(@Param('number') number: string, @Query('tenant', TenantPipe) tenant: string): Promise<ShownLane> {
    return this.#lane(tenant, 'order-invoice', orderNumberText(number));
  }

  @Get('categories/:externalReference/files')
  @Operation({ role: 'see', tenant: 'query' })
  @ShowsLane('Open commands for a category’s files, and what they wait for')
  async filesOfCategory(
    @Param('externalReference') externalReference: string,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<ShownLane> {
    return this.#filesOf(tenant, { kind: 'category', externalReference });
  }

  @Get('products/:externalReference/files')
  @Operation({ role: 'see', tenant: 'query' })
  @ShowsLane('Open commands for a product’s files, and what they wait for')
  async filesOfProduct(
    @Param('externalReference') externalReference: string,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<ShownLane> {
    return this.#filesOf(tenant, { kind: 'product', externalReference });
  }

  @Get('files/:entityId')
  @Operation({ role: 'see', tenant: 'query' })
  @ShowsLane('Open commands for the files of an entity that is named by its id, or of a badge')
  async filesOfEntity(
    @Param('entityId') entityId: string,
    @Query('tenant', TenantPipe) tenant: string,
  ): Promise<ShownLane> {
    return this.#filesOf(tenant, { kind: 'file', entityId });
  }

  async #filesOf(tenant: string, entity: FileEntity): Promise<ShownLane> {
    const named = 'entityId' in entity ? entity.entityId : entity.externalReference;
    return this.#lane(tenant, 'entity-files', isIdentityText(named) ? entityFilesIdentity(entity) : null);
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
    ApiErrors({ 404: 'No command has named this entity' }),
  );
}
