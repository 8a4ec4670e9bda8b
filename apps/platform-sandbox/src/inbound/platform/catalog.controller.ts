import { Delete, Get, Header, InternalServerErrorException, NotFoundException, Param, Post } from '@nestjs/common';
import { AcceptOperation, type Accepted } from '../../application/accept-operation.ts';
import { readModel } from '../../domain/catalog/read-model.ts';
import { isJsonArray, type Json, type JsonObject } from '../../domain/exact-json.ts';
import { ProductsRepository } from '../../outbound/products.repository.ts';
import { JsonBody } from '../http/body.decorator.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { ANYTHING, A_GUID, GUID, SOME_OBJECT, ref } from '../openapi/schemas.ts';
import { CurrentCaller, type Caller } from './caller.decorator.ts';
import { IntegrationRoutes, Queues, batchOf } from './integration-routes.decorator.ts';

/** docs/platform.md, "Catalog". Anything that is JSON is taken. */
@IntegrationRoutes('v1/batch')
export class CatalogController {
  constructor(
    private readonly core: AcceptOperation,
    private readonly products: ProductsRepository,
  ) {}

  @Post('Brands')
  @Queues(
    'answer shown',
    batchOf('Brands', [
      { externalReference: 'queijaria', name: 'Queijaria', title: 'Queijaria', description: 'Queijos', punctuation: 5 },
    ]),
  )
  async brands(@JsonBody() body: Json, @CurrentCaller() caller: Caller): Promise<Accepted> {
    return this.core.accept(caller, 'brand', itemsOf(body));
  }

  @Delete('Brands')
  @Queues('answer not shown', batchOf('Removes brands by their references', ['queijaria']))
  async removeBrands(@JsonBody() body: Json, @CurrentCaller() caller: Caller): Promise<Accepted> {
    return this.core.accept(caller, 'brand-removal', itemsOf(body));
  }

  /** Each entry may be a whole tree. */
  @Post('Categories')
  @Queues(
    'answer shown',
    batchOf('Categories, as trees', [{ externalReference: 'frios', name: 'Frios', children: [] }]),
  )
  async categories(@JsonBody() body: Json, @CurrentCaller() caller: Caller): Promise<Accepted> {
    return this.core.accept(caller, 'category-tree', itemsOf(body));
  }

  /** 200 with a bare JSON text whatever the items hold; what is no JSON is a 500, because 400 never occurs here. */
  @Post('Products')
  @Header('content-type', 'application/json; charset=utf-8')
  @Queues('answer shown', {
    summary: 'Products with their SKUs; only keys that are present change',
    body: [ANYTHING, [{ externalReference: '4711', active: false }]],
    answer: [{ ...GUID, description: 'The operation id, without an envelope' }, A_GUID],
    errors: { 500: 'The body is not JSON; 400 never occurs' },
  })
  async load(@JsonBody('of any kind') body: Json | undefined, @CurrentCaller() caller: Caller): Promise<string> {
    if (body === undefined) {
      throw new InternalServerErrorException({ code: 'NOT_JSON', message: 'The body is not JSON' });
    }
    const { operationId } = await this.core.accept(caller, 'product', itemsOf(body));
    return JSON.stringify(operationId);
  }

  /** Deprecated: always fails, deletes nothing (docs/platform.md, "Versioning" 4). */
  @Delete('Products')
  @Describe({
    summary: 'Obsolete: always fails',
    status: 500,
    answer: [ref('Error'), { error: { code: 'OBSOLETE', message: 'This method is obsolete.' } }],
  })
  removeProducts(): never {
    const message = 'Product deletion is now handled through ProductWithSKUs flow. This method is obsolete.';
    throw new InternalServerErrorException({ code: 'OBSOLETE', message });
  }

  @Get('Products/:externalReference')
  @Describe({
    summary: 'The read model of a product',
    parameters: { externalReference: 'Reference of the product' },
    answer: [SOME_OBJECT, { externalReference: '4711', commercialPoliticId: A_GUID, skus: [] }],
    errors: { 404: 'There is no such product' },
  })
  async read(
    @Param('externalReference') externalReference: string,
    @CurrentCaller() { contractAccountId }: Caller,
  ): Promise<JsonObject> {
    const [product] = await this.products.find({ contractAccountId, externalReference });
    if (product === undefined) {
      const message = 'There is no product with this externalReference';
      throw new NotFoundException({ code: 'PRODUCT_UNKNOWN', message });
    }
    return readModel(product, await this.products.surroundings(product));
  }
}

/** What is no list has no items, and nothing comes of it. */
function itemsOf(body: Json): readonly Json[] {
  return isJsonArray(body) ? body : [];
}
