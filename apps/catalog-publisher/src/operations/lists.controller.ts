import { Commands } from '@gondola/lanes/commands/commands';
import { Database } from '@gondola/service-kit/database/database';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { Operation } from '@gondola/service-kit/http/operation';
import { counted, MOST_COUNTED } from '@gondola/service-kit/http/counted.dto';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiPageOf, pageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { tenantOfRequest } from '@gondola/service-kit/http/tenant-of-request';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { Controller, Get, Inject, Query, UsePipes } from '@nestjs/common';
import { RejectionsRepository } from '../lanes/rejections.repository.ts';
import { ProductsRepository } from '../product-state/products.repository.ts';
import {
  ProductPage,
  ProductsQuery,
  RejectionGroups,
  RejectionGroupsQuery,
  RejectionsQuery,
  ShownRejection,
} from './lists.dto.ts';

const WRONG = 'A parameter is wrong, or tenant is missing where there are several';
const DEFAULT_LIMIT = 50;

/** Lists of products and of rejected records, for operators (contract, "HTTP"). */
@Controller('api')
@UsePipes(RequestPipe)
export class ListsController {
  constructor(
    private readonly database: Database,
    private readonly products: ProductsRepository,
    private readonly rejections: RejectionsRepository,
    private readonly commands: Commands,
    @Inject(TENANTS) private readonly tenants: ReadonlyArray<{ readonly id: string }>,
  ) {}

  @Get('products')
  @Operation({ role: 'see', tenant: 'query' })
  @ApiOperation({ summary: 'Products by reference, name or EAN, in the order of their references' })
  @ApiOkResponse({ description: 'OK', type: ProductPage })
  @ApiErrors({ 400: WRONG })
  async list(@Query() { tenant: named, search = '', after, limit: text }: ProductsQuery): Promise<ProductPage> {
    const { id: tenant } = tenantOfRequest(named, this.tenants);
    const limit = Number(text ?? DEFAULT_LIMIT);
    const found = await this.products.search(this.database, tenant, search, after ?? null, limit + 1);
    const page = found.slice(0, limit);
    const laneIds = page.map(({ laneId }) => laneId);
    const open = new Set(await this.commands.lanesWithOpen(this.database, laneIds));
    const rejections = await this.rejections.ofLanes(this.database, laneIds);
    const entries = page.map(({ laneId, ...product }) => {
      return { ...product, isOpen: open.has(laneId), rejection: rejections.get(laneId) ?? null };
    });
    return { entries, next: found.length > limit ? (page.at(-1)?.externalReference ?? null) : null };
  }

  @Get('rejections')
  @Operation({ role: 'see', tenant: 'query' })
  @ApiOperation({ summary: 'Entities whose last record was not applied, the newest first' })
  @ApiPageOf(ShownRejection)
  @ApiErrors({ 400: WRONG })
  async rejected(@Query() query: RejectionsQuery): Promise<PageOf<ShownRejection>> {
    const { tenant: named, before: _, limit: __, ...filter } = query;
    const { id: tenant } = tenantOfRequest(named, this.tenants);
    const { before, limit } = pageRequest(query);
    return pageOf(await this.rejections.list(this.database, { ...filter, tenant }, before, limit + 1), limit);
  }

  @Get('rejections/groups')
  @Operation({ role: 'see', tenant: 'query' })
  @ApiOperation({ summary: 'The same by reason and field, each with the newest as an example, at most 200 groups' })
  @ApiOkResponse({ description: 'OK', type: RejectionGroups })
  @ApiErrors({ 400: WRONG })
  async groups(@Query() { tenant: named }: RejectionGroupsQuery): Promise<RejectionGroups> {
    const { id: tenant } = tenantOfRequest(named, this.tenants);
    const found = await this.rejections.groups(this.database, tenant, MOST_COUNTED + 1);
    const groups = found.map(
      ({
        group: {
          values: [, reason = '', field = ''],
          count,
          oldestAt,
          newestAt,
        },
        example,
      }) => {
        return { reason, field, ...counted(count), oldestAt, newestAt, example };
      },
    );
    return { groups };
  }
}
