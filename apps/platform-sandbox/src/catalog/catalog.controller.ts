import { Delete, Post } from '@nestjs/common';
import { AcceptOperation, type Accepted } from '../core/accept-operation.service.ts';
import { BatchBody } from '../http/body.decorator.ts';
import { CurrentCaller, type Caller } from '../http/caller.decorator.ts';
import { IntegrationRoutes, Queues, batchOf } from '../http/integration-routes.decorator.ts';
import type { Json } from '../values/exact-json.ts';

/** docs/platform.md, "Catalog". Any JSON is accepted. */
@IntegrationRoutes('v1/batch')
export class CatalogController {
  constructor(private readonly core: AcceptOperation) {}

  @Post('Brands')
  @Queues(
    'answer shown',
    batchOf('Brands', [
      { externalReference: 'queijaria', name: 'Queijaria', title: 'Queijaria', description: 'Queijos', punctuation: 5 },
    ]),
  )
  async brands(@BatchBody() items: readonly Json[], @CurrentCaller() caller: Caller): Promise<Accepted> {
    return this.core.accept(caller, 'brand', items);
  }

  @Delete('Brands')
  @Queues('answer not shown', batchOf('Removes brands by their references', ['queijaria']))
  async removeBrands(@BatchBody() items: readonly Json[], @CurrentCaller() caller: Caller): Promise<Accepted> {
    return this.core.accept(caller, 'brand-removal', items);
  }

  /** Each entry may be a whole tree. */
  @Post('Categories')
  @Queues(
    'answer shown',
    batchOf('Categories, as trees', [{ externalReference: 'frios', name: 'Frios', children: [] }]),
  )
  async categories(@BatchBody() items: readonly Json[], @CurrentCaller() caller: Caller): Promise<Accepted> {
    return this.core.accept(caller, 'category-tree', items);
  }
}
